import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ConversionProps } from "./column-row.js";
import { ambiguousValue, formatTime, isKnownFormat, possibleFormats, timesOf } from "./value-formats.js";

const customFormat = "another";
const defaultFormat = "usual";

const texts = {
  time: {
    label: "Times are written",
    usual: "As 2026-03-31 23:30 (ISO 8601)",
    pattern: "Pattern, such as MM/dd/yyyy h:mm a or dd.MM.yyyy",
    names: {
      unix: "Seconds since 1970 (Unix)",
      "unix-ms": "Milliseconds since 1970",
      serial: "Days of a spreadsheet",
    },
  },
  number: {
    label: "Numbers are written",
    usual: "As 1234.50",
    pattern: "How the file writes 1234.50, such as $1,234.50",
    names: {},
  },
} as const;

/** The format of times or numbers: the formats that fit, with an example, or a custom one. */
export function ParseOptions({
  sample,
  choice,
  onChoice,
  topic,
  values,
}: ConversionProps & { topic: "time" | "number"; values: readonly string[] }) {
  const text = texts[topic];
  const ways = [choice[topic] ?? []].flat();
  const current = ways.length === 1 ? ways[0] : undefined;
  const fitting = possibleFormats(values, topic);
  const [isOther, setOther] = useState(current !== undefined && !fitting.includes(current));
  const example = ambiguousValue(values, topic) ?? values[0] ?? "";
  const isOpen = current === undefined && (fitting.length > 1 || ways.length > 1);
  const set = (way: string | undefined) => onChoice({ ...choice, [topic]: way });
  const names: Readonly<Record<string, string>> = text.names;
  const labelOf = (way: string) => {
    const meaning = topic === "time" ? formatTime(example, way) : undefined;
    const name = names[way] ?? way;
    return meaning === undefined ? name : `${meaning} (${name})`;
  };

  return (
    <>
      <Select
        label={text.label}
        aria-label={`How ${topic}s in ${sample.name} are written`}
        size="xs"
        allowDeselect={false}
        placeholder={isOpen ? "Choose" : undefined}
        error={isOpen}
        data={[
          ...fitting.map((way) => ({ value: way, label: labelOf(way) })),
          ...(fitting.length > 1 ? [] : [{ value: defaultFormat, label: text.usual }]),
          { value: customFormat, label: "Another way" },
        ]}
        value={isOther ? customFormat : (current ?? (isOpen ? null : defaultFormat))}
        onChange={(way) => {
          setOther(way === customFormat);
          if (way !== customFormat) set(way === defaultFormat ? undefined : (way ?? undefined));
        }}
      />
      {isOther ? (
        <TextInput
          label={text.pattern}
          aria-label={`Another way for ${sample.name}`}
          size="xs"
          value={current ?? ""}
          error={
            current !== undefined && !isKnownFormat(current, topic) ? "This is no such pattern" : undefined
          }
          onChange={(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}

/** Columns never have an empty name. */
const sameColumn = { value: "", label: "the same column" };

/** The time format, and the column with the time of day if dates and times are separate. */
export function TimeOptions(props: ConversionProps) {
  const { content, sample, choice, choices, onChoice } = props;
  const values = timesOf(content.samples, sample.name, choice, choices);
  const others = content.samples.map(({ name }) => name).filter((name) => name !== sample.name);

  function join(companion: string | null) {
    const next = { ...choice, with: companion ?? undefined };
    const ways = possibleFormats(timesOf(content.samples, sample.name, next, choices), "time");
    // Joining date and time requires a known format.
    onChoice({ ...next, time: ways.length === 1 ? ways[0] : ways.length > 1 ? ways : isoFormats(companion) });
  }

  return (
    <>
      <ParseOptions key={choice.with ?? ""} {...props} topic="time" values={values} />
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

function isoFormats(companion: string | null): string[] | undefined {
  return companion === null ? undefined : ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm"];
}
