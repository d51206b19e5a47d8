import { Button, Checkbox, CloseButton, MultiSelect, Select, TagsInput, TextInput } from "@mantine/core";
import { importResources, type Entity } from "@gatehouse-parking/contract";
import { useState } from "react";
import styles from "../uploads.module.css";
import { texts } from "./texts.js";
import type { ConversionProps } from "./column-row.js";
import { type ColumnChoice, joinedWith } from "./mapping-choices.js";
import { type ColumnTopic, fieldOf } from "./value-formats.js";

interface OptionProps extends ConversionProps {
  topic: ColumnTopic;
}

const text = texts.targets;

/** The options of a target beside its field and format. Those that few files need are opened by a button. */
export function TargetOptions(props: OptionProps) {
  const { resource, choice, topic, label, onChoice } = props;
  const { required = [] }: Entity["schema"] = importResources[resource].entity.schema;
  const isOptional = !required.includes(choice.to) && !choice.to.startsWith("metadata");
  const [isOpen, setOpen] = useState(usesMore(choice, topic));
  const after = choice.after ?? startOf[choice.to];
  return (
    <>
      {fieldOf(resource, choice.to)?.kind === "amount" ? <Unit {...props} /> : null}
      {topic === "time" ? <TimeOfDay {...props} /> : null}
      {topic === "time" && after !== undefined ? (
        <Checkbox
          label={text.after(after)}
          aria-label={text.afterOf(after, label)}
          size="xs"
          checked={choice.after !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            onChoice({ ...choice, after: checked ? after : undefined })
          }
        />
      ) : null}
      {isOptional && topic !== "name" ? (
        <Checkbox
          label={text.onProblem}
          aria-label={text.onProblemOf(label)}
          size="xs"
          checked={choice.onProblem === "leaveOut"}
          onChange={({ currentTarget: { checked } }) =>
            onChoice({ ...choice, onProblem: checked ? "leaveOut" : undefined })
          }
        />
      ) : null}
      {isOpen ? (
        <MoreOptions {...props} />
      ) : (
        <Button
          className={styles.more}
          size="compact-xs"
          variant="subtle"
          aria-label={text.moreOf(label)}
          onClick={() => setOpen(true)}
        >
          {text.more}
        </Button>
      )}
    </>
  );
}

/** The field that a time is never before. */
const startOf: Readonly<Record<string, string>> = {
  sessionEnd: "sessionStart",
  scheduledExit: "scheduledArrival",
};

function usesMore(choice: ColumnChoice, topic: ColumnTopic): boolean {
  const { prefix, hash, separator, empty, trim, values } = choice;
  const isJoined = joinedWith(choice).length > (topic === "time" ? 1 : 0);
  const hasValues = values !== undefined && !hasValueMap.has(topic);
  return isJoined || hasValues || [prefix, hash, separator, empty, trim].some((part) => part !== undefined);
}

function Unit({ label, choice, onChoice }: OptionProps) {
  const units = new Map<string, string>([
    ["1", text.wholeUnits],
    ["0.01", text.cents],
    ["0.001", text.thousandths],
  ]);
  const scale = choice.scale === undefined ? "1" : String(choice.scale);
  if (!units.has(scale)) units.set(scale, text.scale(scale));
  return (
    <Select
      label={text.unit}
      aria-label={text.unitOf(label)}
      size="xs"
      allowDeselect={false}
      data={[...units].map(([value, name]) => ({ value, label: name }))}
      value={scale}
      onChange={(value) => onChoice({ ...choice, scale: value === "1" ? undefined : (value ?? undefined) })}
    />
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

/** What happens to a date without a time. */
function TimeOfDay({ label, choice, onChoice }: OptionProps) {
  const { timeOfDay } = choice;
  const isOther = timeOfDay !== undefined && timeOfDay !== "refuse" && !hours.includes(timeOfDay);
  return (
    <Select
      label={text.timeOfDay}
      aria-label={text.timeOfDayOf(label)}
      placeholder={text.timeOfDayNotSet}
      size="xs"
      searchable
      clearable
      data={[
        { value: "refuse", label: texts.mapping.rejectRow },
        ...[...hours, ...(isOther ? [timeOfDay] : [])].map((time) => ({ value: time, label: time })),
      ]}
      value={timeOfDay ?? null}
      onChange={(value) => onChoice({ ...choice, timeOfDay: value ?? undefined })}
    />
  );
}

/** What stands between joined texts without a separator. */
const space = " ";

/** Joined columns, prefixes, hashes and words. */
function MoreOptions({ content, resource, sample, label, choice, topic, onChoice }: OptionProps) {
  const kind = fieldOf(resource, choice.to)?.kind ?? "text";
  const isText = kind === "text" && topic === "none";
  const joined = joinedWith(choice);
  const others = content.samples.map(({ name }) => name).filter((name) => name !== sample.name);
  const change = (part: Partial<ColumnChoice>) => onChoice({ ...choice, ...part });
  const mayJoin = isText || topic === "time" || topic === "name";
  return (
    <>
      {mayJoin ? (
        <MultiSelect
          label={text.join}
          description={text.joinHelp}
          aria-label={text.joinOf(label)}
          size="xs"
          searchable
          data={[...new Set([...others, ...joined])]}
          value={joined}
          onChange={(names) =>
            change({
              with: names.length > 1 ? names : names[0],
              ...(names.length === 0 ? { separator: undefined } : {}),
            })
          }
        />
      ) : null}
      {isText && joined.length > 0 && (choice.separator !== undefined || !choice.hash) ? (
        <Select
          label={text.separator}
          aria-label={text.separatorOf(label)}
          size="xs"
          allowDeselect={false}
          data={[...new Set([...Object.keys(text.separators), choice.separator ?? space])].map((value) => ({
            value,
            label: text.separators[value] ?? value,
          }))}
          value={choice.separator ?? space}
          onChange={(value) => change({ separator: value === space ? undefined : (value ?? undefined) })}
        />
      ) : null}
      {isText ? (
        <>
          <TextInput
            label={text.prefix}
            description={text.prefixHelp}
            aria-label={text.prefixOf(label)}
            size="xs"
            value={choice.prefix ?? ""}
            onChange={({ currentTarget: { value } }) => change({ prefix: value === "" ? undefined : value })}
          />
          <Checkbox
            label={text.hash}
            description={text.hashHelp}
            aria-label={text.hashOf(label)}
            size="xs"
            checked={choice.hash === true}
            onChange={({ currentTarget: { checked } }) => change({ hash: checked || undefined })}
          />
        </>
      ) : null}
      <TagsInput
        label={text.empty}
        aria-label={text.emptyOf(label)}
        size="xs"
        value={choice.empty ?? []}
        onChange={(words) => change({ empty: words.length > 0 ? words : undefined })}
      />
      <OtherMembers {...{ label, choice, topic, onChoice }} />
    </>
  );
}

const hasValueMap: ReadonlySet<ColumnTopic> = new Set(["values", "location"]);

/** Members that only mapping files can add. They are shown and can be removed. */
function OtherMembers({
  label,
  choice,
  topic,
  onChoice,
}: Pick<OptionProps, "label" | "choice" | "topic" | "onChoice">) {
  const { values = {}, trim } = choice;
  const words = hasValueMap.has(topic) ? [] : Object.entries(values);
  const notes: [string, ColumnChoice][] = words.map(([word, value]) => {
    const rest = Object.entries(values).filter(([other]) => other !== word);
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    return [
      text.valueBecomes(word, shown),
      { ...choice, values: rest.length > 0 ? Object.fromEntries(rest) : undefined },
    ];
  });
  if (trim !== undefined) notes.push([text.trim(trim), { ...choice, trim: undefined }]);
  return <Notes title={text.of(label)} notes={notes} onRemove={onChoice} />;
}

/** Sentences about a mapping, each of which can be removed. */
export function Notes<Result>({
  title,
  notes,
  onRemove,
}: {
  title: string;
  /** Each with the mapping that does without it. */
  notes: readonly (readonly [string, Result])[];
  onRemove: (result: Result) => void;
}) {
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={title}>
      {notes.map(([note, without]) => (
        <li key={note}>
          {note} <CloseButton size="xs" aria-label={text.remove(note)} onClick={() => onRemove(without)} />
        </li>
      ))}
    </ul>
  );
}
