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

export default function LeadPage() {
  const { leadUuid = "" } = useParams();
  const lead = useApi("getLead", { parameters: { leadUuid } });
  if (lead.data) return <LoadedLead lead={lead.data} />;
  return (
    <UnloadedPage title="Lead" query={lead}>
      It may have been deleted, or belong to another organization.
    </UnloadedPage>
  );
}

function LoadedLead({ lead }: { lead: LeadDetail }) {
  const change = useLeadChange(lead);
  return (
    <Page
      title={`Lead ${lead.email}`}
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
          {lead.movedBy ? (
            <>
              {lead.movedBy.actor} put this lead into quarantine, <Moment value={lead.movedBy.at} />.
            </>
          ) : (
            "The hidden field was filled in, so this was most likely a bot. The sender was not told."
          )}
        </Alert>
      ) : null}
      {lead.duplicateOf ? (
        <Alert color="gray" p="sm">
          The same e-mail address asked about the same location shortly before.{" "}
          <Link href={`/leads/${lead.duplicateOf}`}>Show the earlier lead</Link>
        </Alert>
      ) : null}
      <LeadStatePanel lead={lead} change={change} />
      <LeadNotes lead={lead} />
      <Panel title="Request">
        <Facts
          items={[
            [
              "Location",
              <Link key="l" href={`/locations/${lead.location.uuid}`}>
                {lead.location.name}
              </Link>,
            ],
            ...requestFields.map((name): Fact => [leadLabels[name] ?? toLabel(name), fieldText(lead, name)]),
            ["Notes", lead.notes, "wide"],
          ]}
        />
      </Panel>
      <Panel title="Origin">
        <Facts
          items={[
            ["Lead UUID", <Identifier key="u" value={lead.uuid} />],
            ["Received", <Moment key="t" value={lead.createdAt} />],
            ["API key", lead.apiKey ? `${lead.apiKey.name} (${lead.apiKey.prefix}…)` : null],
            ["Address", lead.address],
            ["Browser", lead.userAgent],
            ...(lead.movedBy && lead.state === "accepted"
              ? ([["Taken out of quarantine by", lead.movedBy.actor]] as const)
              : []),
            ["Captcha", lead.captchaType ?? "not required"],
          ]}
        />
        {lead.captchaResult ? (
          <JsonText text={lead.captchaResult} label="Captcha result" maxHeight={200} />
        ) : null}
      </Panel>
      {lead.metadata ? (
        <Panel title="Metadata" description="Form fields without a field of their own in a lead.">
          <JsonText text={lead.metadata} label="Metadata" maxHeight={400} />
        </Panel>
      ) : null}
      {lead.others.length > 0 ? (
        <Panel
          title={`${lead.others.length < shownOthers ? "" : "At least "}${lead.others.length + 1} leads of this person`}
          description="The others with the same e-mail address or phone number, newest first."
          flush
        >
          <DataTable
            label="Other leads of this person"
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

/** Where the name of the field says less. */
const leadLabels: Record<string, string> = {
  estimatedStartDate: "Estimated start",
  estimatedStartDateString: "Start date as text",
  formName: "Form",
  slug: "Page",
  referrerUrl: "Referrer",
};

function fieldText(lead: LeadDetail, name: string): string {
  if (name === "source") return [lead.source, lead.sourceDetails].filter(Boolean).join(": ");
  return showValue((lead as Record<string, unknown>)[name]);
}

/** The service returns at most this many. */
const shownOthers = 20;

const otherColumns: Column<LeadRow>[] = [
  { header: "E-mail", cell: (lead) => lead.email, from: "tablet", breakable: true },
  { header: "Location", cell: (lead) => <Link href={`/leads/${lead.uuid}`}>{lead.location.name}</Link> },
  { header: "State", cell: (lead) => <LeadBadges lead={lead} /> },
  { header: "Received", time: (lead) => lead.createdAt, align: "right" },
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
              message:
                next === "accepted"
                  ? "The lead has been accepted."
                  : "The lead has been moved to quarantine.",
            }),
          )
        }
      >
        {next === "accepted" ? "Accept this lead" : "Move to quarantine"}
      </Button>
    </>
  );
}
