import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ConversionProps } from "./conversion.js";
import { ambiguousValue, isWayToRead, timeInWords, waysToRead } from "./spellings.js";

const another = "another";
const usual = "usual";

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

/** How times or numbers of a column are written: the ways that fit, with what they would mean, or another one. */
export function WayToRead({
  sample,
  choice,
  onChoice,
  topic,
  values,
}: ConversionProps & { topic: "time" | "number"; values: readonly string[] }) {
  const text = texts[topic];
  const ways = [choice[topic] ?? []].flat();
  const current = ways.length === 1 ? ways[0] : undefined;
  const fitting = waysToRead(values, topic);
  const [isOther, setOther] = useState(current !== undefined && !fitting.includes(current));
  const example = ambiguousValue(values, topic) ?? values[0] ?? "";
  const isOpen = current === undefined && (fitting.length > 1 || ways.length > 1);
  const set = (way: string | undefined) => onChoice({ ...choice, [topic]: way });
  const names: Readonly<Record<string, string>> = text.names;
  const labelOf = (way: string) => {
    const meaning = topic === "time" ? timeInWords(example, way) : undefined;
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
          ...(fitting.length > 1 ? [] : [{ value: usual, label: text.usual }]),
          { value: another, label: "Another way" },
        ]}
        value={isOther ? another : (current ?? (isOpen ? null : usual))}
        onChange={(way) => {
          setOther(way === another);
          if (way !== another) set(way === usual ? undefined : (way ?? undefined));
        }}
      />
      {isOther ? (
        <TextInput
          label={text.pattern}
          aria-label={`Another way for ${sample.name}`}
          size="xs"
          value={current ?? ""}
          error={
            current !== undefined && !isWayToRead(current, topic) ? "This is no such pattern" : undefined
          }
          onChange={(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}
