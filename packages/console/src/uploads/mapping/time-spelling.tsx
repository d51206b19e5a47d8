import { Select } from "@mantine/core";
import type { ConversionProps } from "./conversion.js";
import { timesOf, waysToRead } from "./spellings.js";
import { WayToRead } from "./way-to-read.js";

/** No column of a file has an empty name. */
const sameColumn = { value: "", label: "the same column" };

/** How times are written, and the column with the time of day if the date stands alone. */
export function TimeSpelling(props: ConversionProps) {
  const { content, sample, choice, choices, onChoice } = props;
  const values = timesOf(content.samples, sample.name, choice, choices);
  const others = content.samples.map(({ name }) => name).filter((name) => name !== sample.name);

  function join(companion: string | null) {
    const next = { ...choice, with: companion ?? undefined };
    const ways = waysToRead(timesOf(content.samples, sample.name, next, choices), "time");
    // Date and time cannot be joined before it is known how they are written together.
    onChoice({ ...next, time: ways.length === 1 ? ways[0] : ways.length > 1 ? ways : isoWays(companion) });
  }

  return (
    <>
      <WayToRead key={choice.with ?? ""} {...props} topic="time" values={values} />
      <Select
        label="The time of day is in"
        aria-label={`Column with the time of day for ${sample.name}`}
        size="xs"
        data={[sameColumn, ...others.map((name) => ({ value: name, label: name }))]}
        value={choice.with ?? sameColumn.value}
        onChange={(companion) => join(companion === sameColumn.value ? null : companion)}
        searchable
        allowDeselect={false}
      />
    </>
  );
}

function isoWays(companion: string | null): string[] | undefined {
  return companion === null ? undefined : ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm"];
}
