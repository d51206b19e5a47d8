import { Button, Checkbox, Group, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ListedLead } from "@gatehouse-parking/contract/console";
import { useChange } from "../api/queries.js";
import { pluralize } from "../ui/format.js";
import { IconChevronDown } from "../ui/icons.js";
import { Failure } from "../ui/states.js";
import { workStates } from "./lead-badges.js";
import styles from "./leads.module.css";

/** Selects leads of the page and changes all selected ones. */
export function BulkActions({
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
