import { Button } from "@mantine/core";
import { IconDownload } from "../ui/icons.js";
import type { LeadRow, LeadsQuery } from "@gatehouse-parking/contract/console";
import { operations } from "@gatehouse-parking/contract";
import { Link } from "wouter";
import { useApi, useDownload } from "../api/queries.js";
import { LocationFilter } from "../locations/location-filter.js";
import { useInterface, type Interface } from "../session/origin.js";
import { curl } from "../ui/authority.js";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../ui/filters.js";
import { CursorList } from "../ui/list.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Time } from "../ui/time.js";
import { LeadBadges, leadName } from "./lead-looks.js";

const columns: Column<LeadRow>[] = [
  {
    header: "E-mail",
    cell: (lead) => <Link href={`/leads/${lead.uuid}`}>{lead.email}</Link>,
    breakable: true,
  },
  { header: "Name", cell: (lead) => leadName(lead), from: "tablet", grow: true },
  { header: "Location", cell: (lead) => lead.location.name, from: "desktop" },
  { header: "Source", cell: (lead) => lead.source, from: "desktop" },
  { header: "State", cell: (lead) => <LeadBadges lead={lead} /> },
  { header: "Received", cell: (lead) => <Time value={lead.createdAt} />, align: "right" },
];

export default function LeadsPage() {
  const api = useInterface();
  const { params } = useQueryState();
  const query = readQuery(params);
  const leads = useApi("listLeads", { query });
  const { before: _page, ...filters } = query;
  const csv = useDownload("downloadLeads", {}, filters);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Leads"
      description="What visitors sent through your forms, newest first."
      actions={
        <Button component="a" href={csv} download variant="default" leftSection={<IconDownload size={16} />}>
          Export CSV
        </Button>
      }
    >
      <Filters>
        <TextFilter name="text" label="E-mail, name, notes…" />
        <SelectFilter
          name="state"
          label="State"
          choices={[
            { value: "accepted", label: "Accepted" },
            { value: "quarantined", label: "Quarantined" },
          ]}
        />
        <SelectFilter
          name="duplicates"
          label="Duplicates"
          choices={[
            { value: "hide", label: "Hide duplicates" },
            { value: "only", label: "Only duplicates" },
          ]}
        />
        <LocationFilter />
        <DateFilter name="from" label="From" utc />
        <DateFilter name="to" label="To" utc />
      </Filters>
      <CursorList
        label="Leads"
        query={leads}
        columns={columns}
        rowKey={(lead) => lead.uuid}
        href={(lead) => `/leads/${lead.uuid}`}
        empty={
          isFiltered ? (
            <Empty title="No leads match these filters">Clear a filter to see the others.</Empty>
          ) : (
            <Empty title="No leads yet" command={leadCommand(api)}>
              Forms on your web site send leads with a key that has the leads:write permission. To try it:
            </Empty>
          )
        }
      />
    </Page>
  );
}

function leadCommand(api: Interface): string {
  return [
    `${curl(api)} ${api.origin}${operations.submitLead.path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"email":"jo@example.com","locationUuid":"'$LOCATION_UUID'"}'`,
  ].join("\n");
}

const dayMs = 86_400_000;

function readQuery(params: URLSearchParams): LeadsQuery {
  const query: LeadsQuery = {};
  const state = params.get("state");
  const duplicates = params.get("duplicates");
  const from = params.get("from");
  const to = params.get("to");
  if (state === "accepted" || state === "quarantined") query.state = state;
  if (duplicates === "only" || duplicates === "hide") query.duplicates = duplicates;
  if (from) query.from = `${from}T00:00:00.000Z`;
  if (to) query.to = new Date(Date.parse(to) + dayMs).toISOString();
  for (const name of ["location", "text", "before"] as const) {
    const value = params.get(name);
    if (value) query[name] = value;
  }
  return query;
}
