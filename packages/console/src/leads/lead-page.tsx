import { Alert, Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { LeadDetail, LeadRow } from "@gatehouse-parking/contract/console";
import { Link, useParams } from "wouter";
import { isNotFound } from "../api/failure.js";
import { useApi, useChange } from "../api/queries.js";
import { useMayChange } from "../session/session.js";
import { JsonText } from "../ui/code.js";
import { Identifier } from "../ui/copy.js";
import { Facts } from "../ui/facts.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { Moment, Time } from "../ui/time.js";
import { LeadBadges, leadName } from "./lead-looks.js";

export default function LeadPage() {
  const { leadUuid = "" } = useParams();
  const lead = useApi("getLead", { parameters: { leadUuid } });
  if (lead.data) return <LoadedLead lead={lead.data} />;
  return (
    <Page title="Lead">
      {lead.isPending ? <RowsLoading /> : null}
      {isNotFound(lead.error) ? (
        <Empty title="Lead not found" />
      ) : lead.error ? (
        <Failure error={lead.error} retry={() => void lead.refetch()} />
      ) : null}
    </Page>
  );
}

function LoadedLead({ lead }: { lead: LeadDetail }) {
  return (
    <Page
      title={`Lead ${lead.email}`}
      heading={
        <Group gap="sm">
          {lead.email} <LeadBadges lead={lead} />
        </Group>
      }
      description={leadName(lead)}
      actions={<StateButton lead={lead} />}
    >
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
      <Panel title="Request">
        <Facts
          items={[
            [
              "Location",
              <Link key="l" href={`/locations/${lead.location.uuid}`}>
                {lead.location.name}
              </Link>,
            ],
            ["Phone", lead.phone],
            ["Estimated start", lead.estimatedStartDate],
            ["Start date as text", lead.estimatedStartDateString],
            ["Source", [lead.source, lead.sourceDetails].filter(Boolean).join(": ")],
            ["Form", lead.formName],
            ["Page", lead.slug],
            ["Referrer", lead.referrerUrl],
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
        <Panel title="Other leads from this address" flush>
          <DataTable
            label="Other leads from this address"
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

const otherColumns: Column<LeadRow>[] = [
  { header: "Location", cell: (lead) => <Link href={`/leads/${lead.uuid}`}>{lead.location.name}</Link> },
  { header: "State", cell: (lead) => <LeadBadges lead={lead} /> },
  { header: "Received", cell: (lead) => <Time value={lead.createdAt} />, align: "right" },
];

function StateButton({ lead }: { lead: LeadDetail }) {
  const mayChange = useMayChange();
  const change = useChange("changeLead", { refresh: ["getLead", "listLeads"] });
  if (!mayChange) return null;
  const next = lead.state === "quarantined" ? "accepted" : "quarantined";
  return (
    <Button
      variant="default"
      loading={change.isPending}
      onClick={() =>
        change.mutate(
          { parameters: { leadUuid: lead.uuid }, body: { state: next } },
          {
            onSuccess: () =>
              notifications.show({
                message:
                  next === "accepted"
                    ? "The lead has been accepted."
                    : "The lead has been moved to quarantine.",
              }),
            onError: (error) => notifications.show({ color: "red", message: error.message }),
          },
        )
      }
    >
      {next === "accepted" ? "Accept this lead" : "Move to quarantine"}
    </Button>
  );
}
