import { Badge, Button, Checkbox, Group, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { maxCountedLeads, operations } from "@gatehouse-parking/contract";
import type { ListedLead } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useChange } from "../api/queries.js";
import { Slot } from "../features.js";
import { List, type ListDefinition } from "../lists/list.js";
import { useLiveList } from "../lists/live-list.js";
import { curlCommand, useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";

import { IconChevronDown } from "../ui/icons.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Failure } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { AssigneeSelect } from "./assignee-select.js";
import { leadAddress, useLeadFilters } from "./lead-filters.js";
import { changedByWork, LeadBadges, leadName } from "./lead-work.js";
import styles from "./leads.module.css";
import { texts } from "./texts.js";
import { workStates } from "./work-states.js";

const list: ListDefinition<"listLeads"> = {
  route: "listLeads",
  label: texts.title,
  rowKey: (lead) => lead.uuid,
  columns: [
    {
      header: texts.columns.email,
      cell: (lead) => (
        <span className={styles.email}>
          <LeadLink lead={lead} />
          <LeadCountBadge lead={lead} />
        </span>
      ),
      breakable: true,
    },
    {
      header: texts.columns.name,
      cell: (lead) => <span title={leadName(lead)}>{leadName(lead)}</span>,
      from: "tablet",
      grow: true,
    },
    { header: texts.columns.location, cell: (lead) => lead.location.name, from: "desktop" },
    { header: texts.columns.source, cell: (lead) => lead.source, from: "desktop" },
    {
      header: texts.columns.assignee,
      cell: ({ assignee }) =>
        assignee ? (
          <span className={styles.assignee} title={assignee.email}>
            {assignee.email}
          </span>
        ) : null,
      from: "desktop",
    },
    { header: texts.columns.status, cell: (lead) => <LeadBadges lead={lead} /> },
    { header: texts.columns.received, time: (lead) => lead.createdAt, align: "right" },
  ],
};

function LeadLink({ lead: { uuid, email } }: { lead: ListedLead }) {
  const { params } = useQueryState();
  return <Link href={leadAddress(uuid, params)}>{email}</Link>;
}

function LeadCountBadge({ lead: { leadsOfPerson: count } }: { lead: ListedLead }) {
  if (count < 2) return null;
  return (
    <Badge color="gray" variant="outline" title={texts.list.samePersonHelp}>
      {texts.list.samePerson(count < maxCountedLeads ? String(count) : `${maxCountedLeads} or more`)}
    </Badge>
  );
}

export default function LeadsPage() {
  const { params } = useQueryState();
  const { found, freshness } = useLiveList(
    { ...list, href: ({ uuid }) => leadAddress(uuid, params) },
    { filters: useLeadFilters() },
  );
  const mayChange = useMayChange();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = found.answer.data?.data ?? [];
  return (
    <Page
      title={texts.title}
      description={texts.list.description}
      actions={
        <>
          {freshness}
          <Slot name="listExport" props={{ route: "downloadLeads", query: found.exported }} />
        </>
      }
    >
      <List
        found={found}
        {...(mayChange && { firstColumn: selectColumn(chosen, setChosen) })}
        empty={<NoLeads />}
      >
        {mayChange && rows.length > 0 ? (
          <BulkActions
            rows={rows}
            selected={rows.filter(({ uuid }) => chosen.has(uuid))}
            select={(wanted) => setChosen(new Set(wanted.map(({ uuid }) => uuid)))}
            reload={() => void found.answer.refetch()}
          />
        ) : null}
      </List>
    </Page>
  );
}

function selectColumn(
  chosen: ReadonlySet<string>,
  setChosen: (chosen: ReadonlySet<string>) => void,
): Column<ListedLead> {
  return {
    header: texts.bulk.select,
    hiddenHeader: true,
    cell: ({ uuid, email }) => (
      <label className={styles.choose} htmlFor={`select-${uuid}`}>
        <Checkbox
          id={`select-${uuid}`}
          size="xs"
          aria-label={texts.bulk.selectOne(email)}
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

function NoLeads() {
  const api = useApiAddress();
  const mayChange = useMayChange();
  return (
    <Empty
      title={texts.list.empty.title}
      command={curlCommand(
        api,
        operations.submitLead.path,
        `-d '{"email":"jo@example.com","locationUuid":"'$LOCATION_UUID'"}'`,
      )}
      action={
        mayChange ? (
          <Button component={Link} href="/settings/api-keys" mt="md">
            {texts.list.empty.action}
          </Button>
        ) : null
      }
    >
      {texts.list.empty.text}
    </Empty>
  );
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
  const change = useChange("changeLeads", { refresh: changedByWork });
  const apply = (
    wanted: Partial<Pick<ListedLead, "state" | "workState">> & { assigneeUuid?: string | null },
  ) =>
    change.mutate(
      { body: { leads: selected.map(({ uuid, version }) => ({ uuid, version })), ...wanted } },
      {
        onSuccess: ({ changed }) => {
          select([]);
          notifications.show({ message: texts.bulk.changed(changed) });
        },
        onError: reload,
      },
    );
  return (
    <>
      <Failure error={change.error} />
      <Group gap="sm" className={styles.bulk}>
        <Checkbox
          size="sm"
          label={selected.length > 0 ? texts.bulk.selected(selected.length) : texts.bulk.selectAll}
          checked={selected.length > 0 && selected.length === rows.length}
          indeterminate={selected.length > 0 && selected.length < rows.length}
          onChange={(event) => select(event.currentTarget.checked ? rows : [])}
        />
        {selected.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.bulk.hint}
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
                  {texts.bulk.setStatus}
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
            <AssigneeSelect
              isCompact
              disabled={change.isPending}
              onChange={(assigneeUuid) => apply({ assigneeUuid })}
            />
            <Button
              size="xs"
              variant="default"
              disabled={change.isPending}
              onClick={() => apply({ state: "quarantined" })}
            >
              {texts.quarantine.add}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={change.isPending}
              onClick={() => apply({ state: "accepted" })}
            >
              {texts.quarantine.remove}
            </Button>
          </>
        )}
      </Group>
    </>
  );
}
