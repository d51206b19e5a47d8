import { Alert, Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { LeadDetail, LeadRow } from "@gatehouse-parking/contract/console";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { fieldFacts } from "../records/record-facts.js";
import { toLabel } from "../records/record-kinds.js";
import { useMayChange } from "../session/session.js";
import { Identifier, JsonText } from "../ui/copyable.js";
import { Facts, showValue, type Fact } from "../ui/facts.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { type Column, DataTable } from "../ui/table.js";
import { Moment } from "../ui/time.js";
import {
  LeadBadges,
  type LeadChange,
  LeadChangeFailure,
  leadName,
  LeadNotes,
  LeadStatePanel,
  useLeadChange,
} from "./lead-work.js";
import { texts } from "./texts.js";

export default function LeadPage() {
  const { leadUuid = "" } = useParams();
  const lead = useApi("getLead", { parameters: { leadUuid } });
  if (lead.data) return <LoadedLead lead={lead.data} />;
  return (
    <UnloadedPage title={texts.page.unloaded} query={lead}>
      {texts.page.notFound}
    </UnloadedPage>
  );
}

function LoadedLead({ lead }: { lead: LeadDetail }) {
  const change = useLeadChange(lead);
  return (
    <Page
      title={texts.page.title(lead.email)}
      heading={
        <Group gap="sm">
          {lead.email} <LeadBadges lead={lead} />
        </Group>
      }
      description={leadName(lead)}
      actions={<Actions lead={lead} change={change} />}
    >
      <LeadChangeFailure error={change.error} />
      {lead.state === "quarantined" ? (
        <Alert color="orange" p="sm">
          {lead.movedBy
            ? texts.quarantine.byPerson(lead.movedBy.actor, <Moment value={lead.movedBy.at} />)
            : texts.quarantine.byHoneypot}
        </Alert>
      ) : null}
      {lead.duplicateOf ? (
        <Alert color="gray" p="sm">
          {texts.page.duplicate} <Link href={`/leads/${lead.duplicateOf}`}>{texts.page.showEarlier}</Link>
        </Alert>
      ) : null}
      <LeadStatePanel lead={lead} change={change} />
      <LeadNotes lead={lead} />
      <Panel title={texts.request.title}>
        <Facts
          items={[
            [
              texts.columns.location,
              <Link key="l" href={`/locations/${lead.location.uuid}`}>
                {lead.location.name}
              </Link>,
            ],
            ...requestFields.map((name): Fact => [
              texts.request.fields[name] ?? toLabel(name),
              fieldText(lead, name),
            ]),
            [texts.request.notes, lead.notes, "wide"],
          ]}
        />
      </Panel>
      <Panel title={texts.origin.title}>
        <Facts
          items={[
            [texts.origin.uuid, <Identifier key="u" value={lead.uuid} />],
            [texts.columns.received, <Moment key="t" value={lead.createdAt} />],
            [texts.origin.apiKey, lead.apiKey ? `${lead.apiKey.name} (${lead.apiKey.prefix}…)` : null],
            [texts.origin.address, lead.address],
            [texts.origin.browser, lead.userAgent],
            ...(lead.movedBy && lead.state === "accepted"
              ? ([[texts.origin.removedFromQuarantineBy, lead.movedBy.actor]] as const)
              : []),
            [texts.origin.captcha, lead.captchaType ?? texts.origin.captchaNotRequired],
          ]}
        />
        {lead.captchaResult ? (
          <JsonText text={lead.captchaResult} label={texts.origin.captchaResult} maxHeight={200} />
        ) : null}
      </Panel>
      {lead.metadata ? (
        <Panel title={texts.metadata.title} description={texts.metadata.description}>
          <JsonText text={lead.metadata} label={texts.metadata.title} maxHeight={400} />
        </Panel>
      ) : null}
      {lead.others.length > 0 ? (
        <Panel
          title={texts.page.others(lead.others.length + 1, lead.others.length >= shownOthers)}
          description={texts.page.othersHelp}
          flush
        >
          <DataTable
            label={texts.page.othersLabel}
            columns={otherColumns}
            rows={lead.others}
            rowKey={(other) => other.uuid}
            href={(other) => `/leads/${other.uuid}`}
          />
        </Panel>
      ) : null}
    </Page>
  );
}

/** These are shown elsewhere on the page. */
const apart = new Set([
  ...["email", "firstName", "lastName", "companyName", "locationUuid", "sourceDetails", "notes", "metadata"],
]);
const requestFields = fieldFacts.lead.map(({ name }) => name).filter((name) => !apart.has(name));

function fieldText(lead: LeadDetail, name: string): string {
  if (name === "source") return [lead.source, lead.sourceDetails].filter(Boolean).join(": ");
  return showValue((lead as Record<string, unknown>)[name]);
}

/** The service returns at most this many. */
const shownOthers = 20;

const otherColumns: Column<LeadRow>[] = [
  { header: texts.columns.email, cell: (lead) => lead.email, from: "tablet", breakable: true },
  {
    header: texts.columns.location,
    cell: (lead) => <Link href={`/leads/${lead.uuid}`}>{lead.location.name}</Link>,
  },
  { header: texts.columns.status, cell: (lead) => <LeadBadges lead={lead} /> },
  { header: texts.columns.received, time: (lead) => lead.createdAt, align: "right" },
];

function Actions({ lead, change: { apply, isPending } }: { lead: LeadDetail; change: LeadChange }) {
  const mayChange = useMayChange();
  if (!mayChange) return null;
  const next = lead.state === "quarantined" ? "accepted" : "quarantined";
  return (
    <>
      <Slot name="leadActions" props={{ lead }} />
      <Button
        variant="default"
        loading={isPending}
        onClick={() =>
          apply({ state: next }, () =>
            notifications.show({
              message: next === "accepted" ? texts.quarantine.removed : texts.quarantine.added,
            }),
          )
        }
      >
        {next === "accepted" ? texts.quarantine.remove : texts.quarantine.add}
      </Button>
    </>
  );
}
