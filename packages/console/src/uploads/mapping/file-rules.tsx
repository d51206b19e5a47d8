import { Checkbox, Select, TagsInput } from "@mantine/core";
import type { RepeatedTimes } from "@gatehouse-parking/record-files";
import { useApi } from "../../api/queries.js";
import type { MappingProps } from "./mapping-panel.js";
import { topicOf } from "./spellings.js";
import styles from "../uploads.module.css";

const shownZones = 60;

/** What holds for all columns. */
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
