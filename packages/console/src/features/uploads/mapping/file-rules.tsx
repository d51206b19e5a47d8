import { ActionIcon, Button, Checkbox, Group, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import type { RepeatedTimes } from "@gatehouse-parking/record-files";
import { useApi } from "../../../core/api/queries.js";
import { IconPlus, IconTrash } from "../../../core/ui/icons.js";
import styles from "../uploads.module.css";
import { fieldChoices, type MappingChoices } from "./mapping-choices.js";
import type { MappingProps } from "./mapping-panel.js";
import { fieldOf, topicOf } from "./value-formats.js";

const shownZones = 60;

/** Rules for all columns. */
export function FileRules({ resource, choices, locations, onChange }: MappingProps) {
  const zones = useApi("listTimeZones");
  const hasTimes = Object.values(choices.columns).some(
    (choice) => choice && topicOf(resource, choice.to) === "time",
  );
  const near = [...new Set(locations.map(({ timeZone }) => timeZone))].filter((zone) => zone !== "UTC");
  const far = (zones.data?.data ?? []).filter((zone) => zone !== "UTC" && !near.includes(zone));
  return (
    <div className={styles.rules}>
      <TagsInput
        label="Words that mean “empty”"
        placeholder={choices.empty.length === 0 ? "n/a" : undefined}
        size="xs"
        value={choices.empty}
        onChange={(empty) => onChange({ ...choices, empty })}
      />
      {hasTimes ? (
        <Select
          label="Times without a time zone"
          placeholder="Choose whose clock"
          size="xs"
          searchable
          allowDeselect={false}
          limit={shownZones}
          data={[
            ...(resource === "transactions"
              ? [{ value: "location", label: "Local time at the record's location" }]
              : []),
            { value: "UTC", label: "UTC" },
            ...[...near, ...far].map((zone) => ({
              value: zone,
              label: `Local time in ${zone.replaceAll("_", " ")}`,
            })),
          ]}
          value={choices.timeZone}
          onChange={(timeZone) => onChange({ ...choices, timeZone })}
        />
      ) : null}
      {hasTimes && choices.timeZone !== null && choices.timeZone !== "UTC" ? (
        <Select
          label="Times that came twice when clocks were put back"
          size="xs"
          allowDeselect={false}
          data={[
            { value: "earlier", label: "Take the first time" },
            { value: "later", label: "Take the second time" },
            { value: "refuse", label: "Let the row fail" },
          ]}
          value={choices.repeatedTimes}
          onChange={(value) => onChange({ ...choices, repeatedTimes: value as RepeatedTimes })}
        />
      ) : null}
      <Checkbox
        label="Drop spaces around text"
        size="xs"
        checked={choices.trim}
        onChange={(event) => onChange({ ...choices, trim: event.currentTarget.checked })}
      />
    </div>
  );
}

const shownLocations = 100;

export function FixedValues({ resource, choices, locations, onChange }: MappingProps) {
  const set = (constants: MappingChoices["constants"]) => onChange({ ...choices, constants });
  const change = (index: number, part: Partial<MappingChoices["constants"][number]>) =>
    set(choices.constants.map((constant, at) => (at === index ? { ...constant, ...part } : constant)));
  return (
    <Stack gap="xs">
      {choices.constants.map(({ path, value }, index) => {
        const offered = meaningsOf(path);
        return (
          // The rows have no identity of their own but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <Select
              className={styles.fixedPath}
              label={index === 0 ? "The same in every record" : undefined}
              aria-label="Field"
              placeholder="Field"
              data={fieldChoices(resource)}
              value={path || null}
              onChange={(chosen) => change(index, { path: chosen ?? "", value: "" })}
              searchable
              size="xs"
            />
            {offered ? (
              <Select
                className={styles.fixedValue}
                aria-label="Value"
                placeholder="Value"
                data={offered}
                limit={shownLocations}
                value={value || null}
                onChange={(chosen) => change(index, { value: chosen ?? "" })}
                searchable
                size="xs"
              />
            ) : (
              <TextInput
                className={styles.fixedValue}
                aria-label="Value"
                placeholder="Value"
                value={value}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
                size="xs"
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Remove this fixed value"
              onClick={() => set(choices.constants.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...choices.constants, { path: "", value: "" }])}
        >
          Add a fixed value
        </Button>
      </div>
    </Stack>
  );

  /** The names of an enumeration, or the organization's locations. */
  function meaningsOf(path: string): { value: string; label: string }[] | undefined {
    if (path.endsWith("locationUuid"))
      return locations.map(({ uuid, name }) => ({ value: uuid, label: name }));
    const names = fieldOf(resource, path)?.names;
    return names && Object.keys(names).map((name) => ({ value: name, label: name }));
  }
}
