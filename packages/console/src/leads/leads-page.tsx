import { Badge, Button, Checkbox } from "@mantine/core";
import { maxCountedLeads, operations } from "@gatehouse-parking/contract";
import type { LeadFilters, LeadsQuery, ListedLead } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { ExportMenu } from "../lists/export-menu.js";
import { LocationFilter } from "../locations/location-filter.js";
import { useInterface, type Interface } from "../session/origin.js";
import { useMayChange } from "../session/session.js";
import { curl } from "../ui/authority.js";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../ui/filters.js";
import { CursorList } from "../ui/list.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Time } from "../ui/time.js";
import { BulkActions } from "./bulk-actions.js";
import { LeadBadges, leadName, workStates } from "./lead-looks.js";
import styles from "./leads.module.css";

const columns: Column<ListedLead>[] = [
  {
    header: "E-mail",
    cell: (lead) => (
      <span className={styles.email}>
        <Link href={`/leads/${lead.uuid}`}>{lead.email}</Link>
        <OfPerson lead={lead} />
      </span>
    ),
    breakable: true,
  },
  {
    header: "Name",
    cell: (lead) => <span title={leadName(lead)}>{leadName(lead)}</span>,
    from: "tablet",
    grow: true,
  },
  { header: "Location", cell: (lead) => lead.location.name, from: "desktop" },
  { header: "Source", cell: (lead) => lead.source, from: "desktop" },
  { header: "State", cell: (lead) => <LeadBadges lead={lead} /> },
  { header: "Received", cell: (lead) => <Time value={lead.createdAt} />, align: "right" },
];

function OfPerson({ lead: { leadsOfPerson: count } }: { lead: ListedLead }) {
  if (count < 2) return null;
  return (
    <Badge color="gray" variant="outline" title="With the same e-mail address or phone number">
      {count < maxCountedLeads ? count : `${maxCountedLeads} or more`} of this person
    </Badge>
  );
}

/** What visitors sent, as a list of work. */
export default function LeadsPage() {
  const { params } = useQueryState();
  const filters = readFilters(params);
  const leads = useApi("listLeads", { query: { ...filters, ...readPage(params) } });
  const mayChange = useMayChange();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = leads.data?.data ?? [];
  const selected = rows.filter(({ uuid }) => chosen.has(uuid));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Leads"
      description="What visitors sent through your forms, newest first."
      actions={<ExportMenu route="downloadLeads" query={filters} />}
    >
      <LeadsFilters />
      {mayChange && rows.length > 0 ? (
        <BulkActions
          rows={rows}
          selected={selected}
          select={(wanted) => setChosen(new Set(wanted.map(({ uuid }) => uuid)))}
          reload={() => void leads.refetch()}
        />
      ) : null}
      <CursorList
        label="Leads"
        query={leads}
        columns={mayChange ? [chooseColumn(chosen, setChosen), ...columns] : columns}
        rowKey={(lead) => lead.uuid}
        href={(lead) => `/leads/${lead.uuid}`}
        empty={isFiltered ? <NoneFound /> : <NoLeads />}
      />
    </Page>
  );
}

function chooseColumn(
  chosen: ReadonlySet<string>,
  setChosen: (chosen: ReadonlySet<string>) => void,
): Column<ListedLead> {
  return {
    header: "Select",
    hiddenHeader: true,
    cell: ({ uuid, email }) => (
      <label className={styles.choose} htmlFor={`select-${uuid}`}>
        <Checkbox
          id={`select-${uuid}`}
          size="xs"
          aria-label={`Select the lead of ${email}`}
          checked={chosen.has(uuid)}
          onChange={(event) => {
            const next = new Set(chosen);
            if (event.currentTarget.checked) next.add(uuid);
            else next.delete(uuid);
            setChosen(next);
          }}
        />
      </label>
    ),
  };
}

function LeadsFilters() {
  return (
    <Filters>
      <TextFilter name="text" label="E-mail, name, notes" />
      <SelectFilter name="workState" label="State" choices={workStates} />
      <SelectFilter
        name="state"
        label="Quarantine"
        choices={[
          { value: "accepted", label: "Not in quarantine" },
          { value: "quarantined", label: "In quarantine" },
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
  );
}

function NoneFound() {
  const { set } = useQueryState();
  const names = ["text", "workState", "state", "duplicates", "location", "from", "to"];
  return (
    <Empty
      title="No leads match these filters"
      action={
        <Button
          variant="default"
          onClick={() => set(Object.fromEntries(names.map((name) => [name, null])), { push: true })}
        >
          Clear all filters
        </Button>
      }
    />
  );
}

function NoLeads() {
  const api = useInterface();
  const mayChange = useMayChange();
  return (
    <Empty
      title="No leads yet"
      command={leadCommand(api)}
      action={
        mayChange ? (
          <Button component={Link} href="/settings/api-keys" mt="md">
            Create a key for your form
          </Button>
        ) : null
      }
    >
      Forms on your web site send leads with a key that has the leads:write permission. To try it:
    </Empty>
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

function readFilters(params: URLSearchParams): LeadFilters {
  const filters: LeadFilters = {};
  const state = params.get("state");
  const workState = workStates.find(({ value }) => value === params.get("workState"))?.value;
  const duplicates = params.get("duplicates");
  const from = Date.parse(params.get("from") ?? "");
  const to = Date.parse(params.get("to") ?? "");
  if (state === "accepted" || state === "quarantined") filters.state = state;
  if (workState) filters.workState = workState;
  if (duplicates === "only" || duplicates === "hide") filters.duplicates = duplicates;
  if (!Number.isNaN(from)) filters.from = new Date(from).toISOString();
  if (!Number.isNaN(to)) filters.to = new Date(to + dayMs).toISOString();
  for (const name of ["location", "text"] as const) {
    const value = params.get(name);
    if (value) filters[name] = value;
  }
  return filters;
}

function readPage(params: URLSearchParams): Pick<LeadsQuery, "before" | "after"> {
  const before = params.get("before");
  const after = params.get("after");
  return { ...(before && { before }), ...(after && { after }) };
}
