import { Select } from "@mantine/core";
import type { LeadAssignee } from "@gatehouse-parking/contract/console";
import { useAssigneeChoices } from "./lead-filters.js";
import { texts } from "./texts.js";

const none = "none";

/** Undefined: nothing is chosen yet. Null: no one. */
export function AssigneeSelect({
  assignee,
  onChange,
  disabled,
  isCompact = false,
}: {
  assignee?: LeadAssignee | null;
  onChange: (memberUuid: string | null) => void;
  disabled: boolean;
  /** Without a visible label. */
  isCompact?: boolean;
}) {
  const members = useAssigneeChoices();
  const isListed = !assignee || members.some(({ value }) => value === assignee.uuid);
  return (
    <Select
      {...(isCompact
        ? { "aria-label": texts.bulk.assign, placeholder: texts.bulk.assign, size: "xs" }
        : { label: texts.columns.assignee })}
      data={[
        { value: none, label: texts.assignee.none },
        ...(isListed ? [] : [{ value: assignee.uuid, label: assignee.email }]),
        ...members,
      ]}
      value={assignee === undefined ? null : (assignee?.uuid ?? none)}
      onChange={(value) => {
        if (value !== null) onChange(value === none ? null : value);
      }}
      allowDeselect={false}
      searchable={members.length > 10}
      limit={100}
      disabled={disabled}
      comboboxProps={{ width: 260, position: "bottom-start" }}
    />
  );
}
