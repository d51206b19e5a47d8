import { Select, TagsInput, Text, TextInput } from "@mantine/core";
import { type ColumnSample, locationHints, nameOrders, suggestTarget } from "@gatehouse-parking/record-files";
import { useState } from "react";
import { truncate } from "../preview/preview.js";
import styles from "../uploads.module.css";
import { choicesOf, type ColumnChoice, fieldChoices } from "./mapping-choices.js";
import type { MappingProps } from "./mapping-panel.js";
import { ColumnFacets } from "./column-facets.js";
import { TargetNotes } from "./target-notes.js";
import {
  ambiguousValue,
  fieldOf,
  formatTime,
  isKnownFormat,
  possibleFormats,
  timesOf,
  topicOf,
  unknownEnumValues,
  unknownLocations,
  valuesOf,
} from "./value-formats.js";
import { ValueMap } from "./value-map.js";
import { texts } from "./texts.js";

const shownValues = 3;
const leaveOut = texts.mapping.leaveOut;

interface ColumnProps extends MappingProps {
  sample: ColumnSample;
  onChoice: (choice: ColumnChoice | null) => void;
}

/** One column: sample values, target field, format. */
export function ColumnRow({ companionOf, ...props }: ColumnProps & { companionOf: string | undefined }) {
  const { sample, content, resource, choices, locations, onChoice } = props;
  const profile = content.profile.columns.find((column) => column.name === sample.name);
  const { name } = sample;
  const choice = choices.columns[name];
  const paths = fieldChoices(resource, name);
  const own = choice && !paths.some(({ items }) => items.includes(choice.to)) ? [choice.to] : [];

  /** Selects a field with the suggested format of its values. */
  function choose(path: string | null) {
    if (path === null || path === leaveOut) return onChoice(null);
    const target = suggestTarget({
      ...{ resource, locations, path, column: name },
      profile: content.profile,
    });
    return onChoice(choicesOf({ columns: { [name]: target } }).columns[name] ?? null);
  }

  return (
    <fieldset className={styles.column} aria-label={name}>
      <div className={styles.source}>
        <span className={styles.name}>{name}</span>
        <span className={styles.samples}>
          {[...new Set(sample.values)].slice(0, shownValues).map(truncate).join(" · ") ||
            texts.mapping.noValues}
        </span>
        {profile ? (
          <ColumnFacets profile={profile} emptyWords={[...choices.empty, ...[choice?.empty ?? []].flat()]} />
        ) : null}
      </div>
      <div className={styles.target}>
        {companionOf !== undefined && !choice ? (
          <Text size="sm" c="dimmed">
            {texts.mapping.combinedWith(companionOf)}
          </Text>
        ) : (
          <Select
            aria-label={texts.mapping.fieldFor(name)}
            placeholder={texts.mapping.emptyColumn}
            data={[
              leaveOut,
              ...paths,
              ...(own.length > 0 ? [{ group: texts.mapping.unknownField, items: own }] : []),
            ]}
            value={choice === null ? leaveOut : (choice?.to ?? null)}
            onChange={choose}
            searchable
            allowDeselect={false}
            size="xs"
          />
        )}
      </div>
      {choice ? <Conversion {...props} choice={choice} /> : null}
    </fieldset>
  );
}

export interface ConversionProps extends ColumnProps {
  choice: ColumnChoice;
}

/** Options for the values of a column, if its field needs any. */
function Conversion(props: ConversionProps) {
  const { resource, choice } = props;
  const topic = topicOf(resource, choice.to);
  return (
    <div className={styles.conversion}>
      {topic === "time" ? <TimeOptions {...props} /> : null}
      {topic === "number" ? <ParseOptions {...props} topic="number" values={usedValues(props)} /> : null}
      {topic === "values" ? <EnumOptions {...props} /> : null}
      {topic === "flag" ? <FlagOptions {...props} /> : null}
      {topic === "location" ? <LocationOptions {...props} /> : null}
      {topic === "name" ? <NameOptions {...props} /> : null}
      <TargetNotes {...props} />
    </div>
  );
}

function usedValues({ content, sample, choices }: ConversionProps): string[] {
  return valuesOf(content.samples, sample.name, choices);
}

/** Maps values to an enumeration. Its own names need no mapping. */
function EnumOptions(props: ConversionProps) {
  const { resource, choice } = props;
  const names = fieldOf(resource, choice.to)?.names ?? {};
  return (
    <ValueMap
      {...props}
      unknown={unknownEnumValues(usedValues(props), names)}
      meanings={Object.keys(names).map((name) => ({ value: name, label: name }))}
    />
  );
}

function FlagOptions({ sample, choice, onChoice }: ConversionProps) {
  const words = (which: "true" | "false", label: string) => (
    <TagsInput
      label={label}
      description={which === "true" ? texts.values.yesHelp : texts.values.noHelp}
      size="xs"
      value={choice[which] ?? []}
      onChange={(list) => onChoice({ ...choice, [which]: list.length > 0 ? list : undefined })}
      aria-label={texts.values.inColumn(label, sample.name)}
    />
  );
  return (
    <>
      {words("true", texts.values.yes)}
      {words("false", texts.values.no)}
    </>
  );
}

function LocationOptions(props: ConversionProps) {
  const { sample, choice, locations, onChoice } = props;
  const unknown = unknownLocations(usedValues(props), choice.location, locations);
  return (
    <>
      <Select
        label={texts.values.matchLocation}
        aria-label={texts.values.matchLocationOf(sample.name)}
        size="xs"
        allowDeselect={false}
        data={locationHints.map((value) => ({ value, label: texts.values.locationKeys[value] ?? value }))}
        value={choice.location ?? "uuid"}
        onChange={(location) =>
          onChoice({ ...choice, location: location === "uuid" ? undefined : (location ?? undefined) })
        }
      />
      <ValueMap
        {...props}
        unknown={unknown}
        meanings={locations.map(({ uuid, name }) => ({ value: uuid, label: name }))}
      />
    </>
  );
}

function NameOptions({ sample, choice, onChoice }: ConversionProps) {
  return (
    <Select
      label={texts.values.nameOrder}
      aria-label={texts.values.nameOrderOf(sample.name)}
      size="xs"
      allowDeselect={false}
      data={nameOrders.map((value) => ({ value, label: texts.values.nameOrders[value] ?? value }))}
      value={choice.name ?? null}
      onChange={(name) => onChoice({ ...choice, name: name ?? undefined })}
    />
  );
}

const customFormat = "another";
const defaultFormat = "usual";

/** The format of times or numbers: the formats that fit, with an example, or a custom one. */
function ParseOptions({
  sample,
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
        aria-label={text.of(sample.name)}
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
          aria-label={texts.values.otherFormatOf(sample.name)}
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
function TimeOptions(props: ConversionProps) {
  const { content, sample, choice, choices, onChoice } = props;
  const values = timesOf(content.samples, sample.name, choice, choices);
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
      <ParseOptions key={String(choice.with)} {...props} topic="time" values={values} />
      <Select
        label={texts.values.timeOfDay}
        aria-label={texts.values.timeOfDayOf(sample.name)}
        size="xs"
        data={[sameColumn, ...others.map((name) => ({ value: name, label: name }))]}
        value={[choice.with ?? sameColumn.value].flat()[0] ?? sameColumn.value}
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
