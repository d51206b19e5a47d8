import { Alert, Anchor, Group } from "@mantine/core";
import type { AnswerOf, LeadDetail, LeadRow } from "@gatehouse-parking/contract/console";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { fieldFacts } from "../records/record-facts.js";
import { toLabel } from "../records/record-kinds.js";
import { readFilters } from "../lists/filters.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { AdjacentLink } from "../ui/adjacent-link.js";
import { Identifier, JsonText } from "../ui/copyable.js";
import { Facts, showValue, type Fact } from "../ui/facts.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { type Column, DataTable } from "../ui/table.js";
import { Moment } from "../ui/time.js";
import { mailAddress, phoneAddress } from "./addresses.js";
import { leadAddress, useLeadFilters } from "./lead-filters.js";
import { LeadHistory } from "./lead-history.js";
import {
  LeadBadges,
  LeadChangeFailure,
  leadName,
  LeadNotes,
  LeadStatePanel,
  useLeadChange,
} from "./lead-work.js";
import styles from "./leads.module.css";
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
  const mayChange = useMayChange();
  return (
    <Page
      title={texts.page.title(lead.email)}
      heading={
        <Group gap="sm">
          {lead.email} <LeadBadges lead={lead} />
        </Group>
      }
      description={leadName(lead)}
      actions={
        <>
          <AdjacentLeads lead={lead} />
          {mayChange ? <Slot name="leadActions" props={{ lead }} /> : null}
        </>
      }
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
      <div className={styles.columns}>
        <div className={styles.column}>
          <Panel title={texts.message.title}>
            <p className={styles.message}>
              {lead.notes || <span className={styles.absent}>{texts.message.none}</span>}
            </p>
          </Panel>
          <Contact lead={lead} />
          <Request lead={lead} />
          {lead.metadata ? (
            <Panel title={texts.metadata.title} description={texts.metadata.description}>
              <JsonText text={lead.metadata} label={texts.metadata.title} maxHeight={400} />
            </Panel>
          ) : null}
          <Origin lead={lead} />
          <OtherLeads lead={lead} />
        </div>
        <div className={styles.column}>
          <LeadStatePanel lead={lead} change={change} />
          <LeadNotes lead={lead} />
          {mayChange ? <LeadHistory lead={lead} /> : null}
        </div>
      </div>
    </Page>
  );
}

/** The leads before and after it in the list that the user came from, whose filters are in the address. */
function AdjacentLeads({ lead }: { lead: LeadDetail }) {
  const { params } = useQueryState();
  const query = { ...readFilters(params, useLeadFilters()), limit: 1 };
  const hrefOf = ({ data, isPlaceholderData }: UseQueryResult<AnswerOf<"listLeads">>) => {
    if (data === undefined || isPlaceholderData) return undefined;
    return data.data[0] ? leadAddress(data.data[0].uuid, params) : null;
  };
  const previous = hrefOf(useApi("listLeads", { query: { ...query, after: lead.uuid } }));
  const next = hrefOf(useApi("listLeads", { query: { ...query, before: lead.uuid } }));
  return (
    <>
      <AdjacentLink href={previous} label={texts.page.previous} direction="previous" />
      <AdjacentLink href={next} label={texts.page.next} direction="next" />
    </>
  );
}

function Contact({ lead }: { lead: LeadDetail }) {
  const { name: organization } = useOrganization();
  const mail = mailAddress(lead.email, texts.contact.subject(lead.location.name, organization));
  const phone = phoneAddress(lead.phone);
  return (
    <Panel title={texts.contact.title}>
      <Facts
        items={[
          [texts.columns.name, leadName(lead)],
          [
            texts.columns.email,
            mail ? (
              <Anchor key="m" href={mail}>
                {lead.email}
              </Anchor>
            ) : (
              lead.email
            ),
          ],
          [
            texts.contact.phone,
            phone ? (
              <Anchor key="p" href={phone}>
                {lead.phone}
              </Anchor>
            ) : (
              lead.phone
            ),
          ],
        ]}
      />
    </Panel>
  );
}

function Request({ lead }: { lead: LeadDetail }) {
  return (
    <Panel title={texts.request.title}>
      <Facts
        items={[
          [
            texts.columns.location,
            <Link key="l" href={`/locations/${lead.location.uuid}`}>
              {lead.location.name}
            </Link>,
          ],
          [texts.columns.received, <Moment key="t" value={lead.createdAt} />],
          ...requestFields.map((name): Fact | false => {
            const value = fieldText(lead, name);
            return value !== "" && [texts.request.fields[name] ?? toLabel(name), value];
          }),
        ]}
      />
    </Panel>
  );
}

function Origin({ lead }: { lead: LeadDetail }) {
  return (
    <Panel title={texts.origin.title}>
      <Facts
        items={[
          [texts.origin.uuid, <Identifier key="u" value={lead.uuid} />],
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
  );
}

function OtherLeads({ lead: { others } }: { lead: LeadDetail }) {
  if (others.length === 0) return null;
  return (
    <Panel
      title={texts.page.others(others.length + 1, others.length >= shownOthers)}
      description={texts.page.othersHelp}
      flush
    >
      <DataTable
        label={texts.page.othersLabel}
        columns={otherColumns}
        rows={others}
        rowKey={(other) => other.uuid}
        href={(other) => `/leads/${other.uuid}`}
      />
    </Panel>
  );
}

/** These are shown elsewhere on the page. */
const apart = new Set([
  ...["email", "firstName", "lastName", "companyName", "phone"],
  ...["locationUuid", "sourceDetails", "notes", "metadata"],
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
