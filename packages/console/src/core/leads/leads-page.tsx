import { Badge, Button, Checkbox, Group, Menu, Text } from "@mantine/core";
import { maxCountedLeads, operations } from "@gatehouse-parking/contract";
import type { LeadFilters, ListedLead } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { notifications } from "@mantine/notifications";
import { useApi, useChange } from "../api/queries.js";
import { Slot } from "../features.js";
import { CursorList } from "../lists/cursor-list.js";
import { readNamed, readUtcDays, useFilters } from "../lists/list-state.js";
import { LocationFilter } from "../locations/location-choices.js";
import { curlCommand, useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../ui/filters.js";
import { pluralize } from "../ui/format.js";
import { IconChevronDown } from "../ui/icons.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Failure } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Time } from "../ui/time.js";
import { LeadBadges, leadName, workStates } from "./lead-work.js";
import styles from "./leads.module.css";

const columns: Column<ListedLead>[] = [
  {
    header: "E-mail",
    cell: (lead) => (
      <span className={styles.email}>
        <Link href={`/leads/${lead.uuid}`}>{lead.email}</Link>
        <LeadCountBadge lead={lead} />
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

function LeadCountBadge({ lead: { leadsOfPerson: count } }: { lead: ListedLead }) {
  if (count < 2) return null;
  return (
    <Badge color="gray" variant="outline" title="With the same e-mail address or phone number">
      {count < maxCountedLeads ? count : `${maxCountedLeads} or more`} of this person
    </Badge>
  );
}

export default function LeadsPage() {
  const { params } = useQueryState();
  const filters = readFilters(params);
  const leads = useApi("listLeads", { query: { ...filters, ...readNamed(params, ["before", "after"]) } });
  const mayChange = useMayChange();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = leads.data?.data ?? [];
  const selected = rows.filter(({ uuid }) => chosen.has(uuid));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Leads"
      description="What visitors sent through your forms, newest first."
      actions={<Slot name="listExport" props={{ route: "downloadLeads", query: filters }} />}
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
        columns={mayChange ? [selectColumn(chosen, setChosen), ...columns] : columns}
        rowKey={(lead) => lead.uuid}
        href={(lead) => `/leads/${lead.uuid}`}
        empty={isFiltered ? <NoMatchingLeads /> : <NoLeads />}
      />
    </Page>
  );
}

function selectColumn(
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

function NoMatchingLeads() {
  const { clear } = useFilters();
  return (
    <Empty
      title="No leads match these filters"
      action={
        <Button variant="default" onClick={clear}>
          Clear all filters
        </Button>
      }
    />
  );
}

function NoLeads() {
  const api = useApiAddress();
  const mayChange = useMayChange();
  return (
    <Empty
      title="No leads yet"
      command={curlCommand(
        api,
        operations.submitLead.path,
        `-d '{"email":"jo@example.com","locationUuid":"'$LOCATION_UUID'"}'`,
      )}
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

const choices: Record<string, readonly string[]> = {
  state: ["accepted", "quarantined"],
  workState: workStates.map(({ value }) => value),
  duplicates: ["only", "hide"],
};

/** Unknown choices in the address are ignored. */
function readFilters(params: URLSearchParams): LeadFilters {
  const named = readNamed(params, ["state", "workState", "duplicates", "location", "text"]);
  const known = Object.entries(named).filter(([name, value]) => choices[name]?.includes(value) ?? true);
  return { ...(Object.fromEntries(known) as LeadFilters), ...readUtcDays(params) };
}

/** Selects leads of the page and changes all selected ones. */
function BulkActions({
  rows,
  selected,
  select,
  reload,
}: {
  rows: readonly ListedLead[];
  selected: readonly ListedLead[];
  select: (leads: readonly ListedLead[]) => void;
  reload: () => void;
}) {
  const change = useChange("changeLeads", { refresh: ["listLeads", "getLead"] });
  const apply = (wanted: { state: ListedLead["state"] } | { workState: ListedLead["workState"] }) =>
    change.mutate(
      { body: { leads: selected.map(({ uuid, version }) => ({ uuid, version })), ...wanted } },
      {
        onSuccess: ({ changed }) => {
          select([]);
          notifications.show({ message: `${pluralize(changed, "lead")} changed.` });
        },
        onError: reload,
      },
    );
  return (
    <>
      {change.error ? <Failure error={change.error} /> : null}
      <Group gap="sm" className={styles.bulk}>
        <Checkbox
          size="sm"
          label={selected.length > 0 ? `${selected.length} selected` : "Select all on this page"}
          checked={selected.length > 0 && selected.length === rows.length}
          indeterminate={selected.length > 0 && selected.length < rows.length}
          onChange={(event) => select(event.currentTarget.checked ? rows : [])}
        />
        {selected.length === 0 ? (
          <Text size="sm" c="dimmed">
            Choose leads to change several at once.
          </Text>
        ) : (
          <>
            <Menu position="bottom-start">
              <Menu.Target>
                <Button
                  size="xs"
                  variant="default"
                  loading={change.isPending}
                  rightSection={<IconChevronDown size={14} />}
                >
                  Set state
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {workStates.map(({ value, label }) => (
                  <Menu.Item key={value} onClick={() => apply({ workState: value })}>
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Button
              size="xs"
              variant="default"
              disabled={change.isPending}
              onClick={() => apply({ state: "quarantined" })}
            >
              Move to quarantine
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={change.isPending}
              onClick={() => apply({ state: "accepted" })}
            >
              Take out of quarantine
            </Button>
          </>
        )}
      </Group>
    </>
  );
}
