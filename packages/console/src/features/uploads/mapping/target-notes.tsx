import { Checkbox, CloseButton, Select, TextInput } from "@mantine/core";
import { importResources, type Entity } from "@gatehouse-parking/contract";
import styles from "../uploads.module.css";
import { texts } from "./texts.js";
import type { ConversionProps } from "./column-row.js";
import { type MappingChoices, targetPath } from "./mapping-choices.js";
import { fieldOf, topicOf } from "./value-formats.js";

/** What a target does beyond its field and format, in plain words, and the options that any column may need. */
export function TargetNotes({ resource, sample, choice, onChoice }: ConversionProps) {
  const { required = [] }: Entity["schema"] = importResources[resource].entity.schema;
  const isAmount = fieldOf(resource, choice.to)?.kind === "amount";
  const isTime = topicOf(resource, choice.to) === "time";
  const isOptional = !required.includes(choice.to) && !choice.to.startsWith("metadata");
  const joined = [choice.with ?? []].flat();
  const notes = [
    ...(choice.others ?? []).map((target) => texts.targets.alsoFills(targetPath(target))),
    ...(joined.length > 0 && !(isTime && joined.length === 1)
      ? [texts.targets.joined(joined, choice.separator)]
      : []),
    ...(choice.prefix === undefined ? [] : [texts.targets.prefix(choice.prefix)]),
    ...(choice.hash ? [texts.targets.hash] : []),
    ...(choice.empty === undefined ? [] : [texts.targets.empty([choice.empty].flat())]),
  ];
  return (
    <>
      {notes.length > 0 ? (
        <ul className={styles.notes} aria-label={texts.targets.of(sample.name)}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      {isAmount ? (
        <Select
          label={texts.targets.unit}
          aria-label={texts.targets.unitOf(sample.name)}
          size="xs"
          allowDeselect={false}
          data={[
            { value: "1", label: texts.targets.wholeUnits },
            { value: "0.01", label: texts.targets.cents },
            ...(choice.scale === undefined || choice.scale === "0.01"
              ? []
              : [{ value: choice.scale, label: texts.targets.scale(choice.scale) }]),
          ]}
          value={choice.scale ?? "1"}
          onChange={(scale) =>
            onChoice({ ...choice, scale: scale === "1" ? undefined : (scale ?? undefined) })
          }
        />
      ) : null}
      {isTime ? (
        <TextInput
          label={texts.targets.timeOfDay}
          aria-label={texts.targets.timeOfDayOf(sample.name)}
          placeholder={texts.targets.timeOfDayExample}
          size="xs"
          value={choice.timeOfDay ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChoice({ ...choice, timeOfDay: value === "" ? undefined : value })
          }
        />
      ) : null}
      {isOptional && topicOf(resource, choice.to) !== "name" ? (
        <Checkbox
          label={texts.targets.onProblem}
          aria-label={texts.targets.onProblemOf(sample.name)}
          size="xs"
          checked={choice.onProblem === "leaveOut"}
          onChange={({ currentTarget: { checked } }) =>
            onChoice({ ...choice, onProblem: checked ? "leaveOut" : undefined })
          }
        />
      ) : null}
    </>
  );
}

interface Filter {
  column: string;
  values: string[];
}

/** The rows that the mapping leaves out. */
export function RowFilters({
  choices,
  onChange,
}: {
  choices: MappingChoices;
  onChange: (choices: MappingChoices) => void;
}) {
  const filters = (choices.others["leaveOut"] ?? []) as Filter[];
  if (filters.length === 0) return null;
  const keep = (removed: Filter) => {
    const { leaveOut: _, ...others } = choices.others;
    const left = filters.filter((filter) => filter !== removed);
    onChange({ ...choices, others: left.length > 0 ? { ...others, leaveOut: left } : others });
  };
  return (
    <ul className={styles.notes} aria-label={texts.targets.filters}>
      {filters.map((filter) => {
        const text = texts.targets.filter(filter.column, filter.values);
        return (
          <li key={text}>
            {text}{" "}
            <CloseButton
              size="xs"
              aria-label={texts.targets.removeFilter(text)}
              onClick={() => keep(filter)}
            />
          </li>
        );
      })}
    </ul>
  );
}
