import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ConversionProps } from "./column-row.js";
import { joinedWith } from "./mapping-choices.js";
import { ambiguousValue, formatTime, isKnownFormat, possibleFormats, timesOf } from "./value-formats.js";
import { texts } from "./texts.js";

const customFormat = "another";
const defaultFormat = "usual";

/** The format of times or numbers: the formats that fit, with an example, or a custom one. */
export function FormatOptions({
  label: of,
  choice,
  onChoice,
  topic,
  values,
}: ConversionProps & { topic: "time" | "number"; values: readonly string[] }) {
  const text = texts.formats[topic];
  const formats = [choice[topic] ?? []].flat();
  const current = formats.length === 1 ? formats[0] : undefined;
  const fitting = possibleFormats(values, topic);
  const [isOther, setOther] = useState(current !== undefined && !fitting.includes(current));
  const example = ambiguousValue(values, topic) ?? values[0] ?? "";
  const isOpen = current === undefined && (fitting.length > 1 || formats.length > 1);
  const set = (format: string | undefined) => onChoice({ ...choice, [topic]: format });

  const labelOf = (format: string) => {
    const meaning = topic === "time" ? formatTime(example, format) : undefined;
    const name = text.names[format] ?? format;
    return meaning === undefined ? name : `${meaning} (${name})`;
  };

  return (
    <>
      <Select
        label={text.label}
        aria-label={text.of(of)}
        size="xs"
        allowDeselect={false}
        placeholder={isOpen ? texts.values.choose : undefined}
        error={isOpen}
        data={[
          ...fitting.map((format) => ({ value: format, label: labelOf(format) })),
          ...(fitting.length > 1 ? [] : [{ value: defaultFormat, label: text.default }]),
          { value: customFormat, label: texts.values.otherFormat },
        ]}
        value={isOther ? customFormat : (current ?? (isOpen ? null : defaultFormat))}
        onChange={(format) => {
          setOther(format === customFormat);
          if (format !== customFormat) set(format === defaultFormat ? undefined : (format ?? undefined));
        }}
      />
      {isOther ? (
        <TextInput
          label={text.pattern}
          aria-label={texts.values.otherFormatOf(of)}
          size="xs"
          value={current ?? ""}
          error={
            current !== undefined && !isKnownFormat(current, topic) ? texts.values.unknownFormat : undefined
          }
          onChange={(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}

/** Columns never have an empty name. */
const sameColumn = { value: "", label: texts.values.sameColumn };

/** The time format, and the column with the time of day if dates and times are separate. */
export function TimeOptions(props: ConversionProps) {
  const { content, sample, label, choice, choices, onChoice } = props;
  const values = timesOf(content.samples, sample.name, choice, choices);
  const joined = joinedWith(choice);
  const others = content.samples.map(({ name }) => name).filter((name) => name !== sample.name);

  function join(companion: string | null) {
    const next = { ...choice, with: companion ?? undefined };
    const formats = possibleFormats(timesOf(content.samples, sample.name, next, choices), "time");
    // Joining date and time requires a known format.
    onChoice({
      ...next,
      time: formats.length === 1 ? formats[0] : formats.length > 1 ? formats : isoFormats(companion),
    });
  }

  return (
    <>
      <FormatOptions key={String(choice.with)} {...props} topic="time" values={values} />
      {joined.length > 1 ? null : (
        <Select
          label={texts.values.timeOfDay}
          aria-label={texts.values.timeOfDayOf(label)}
          size="xs"
          data={[sameColumn, ...others.map((name) => ({ value: name, label: name }))]}
          value={joined[0] ?? sameColumn.value}
          onChange={(companion) => join(companion === sameColumn.value ? null : companion)}
          searchable
          allowDeselect={false}
        />
      )}
    </>
  );
}

function isoFormats(companion: string | null): string[] | undefined {
  return companion === null ? undefined : ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm"];
}
