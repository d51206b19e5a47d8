import { Pill, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useQueryState } from "../ui/query-state.js";
import styles from "./filters.module.css";
import { texts } from "./texts.js";

/** A filter keeps its value in the address, under its name. The query of the list has the same name. */
export type Filter = { name: string; label: string } & (
  | { kind: "text" | "utcDay" | "localDay" }
  /** Set by a link from another page. It can only be removed. */
  | { kind: "link" }
  | ChoiceFilter
);

interface ChoiceFilter {
  kind: "choice";
  choices: readonly { value: string; label: string }[];
  /** For many choices, which may still be loading. Other filters ignore unknown values. */
  searchable?: boolean;
  isNumber?: boolean;
}

/** A choice between labelled values. */
export function choice(name: string, label: string, labels: Readonly<Record<string, string>>): Filter {
  const choices = Object.entries(labels).map(([value, text]) => ({ value, label: text }));
  return { kind: "choice", name, label, choices };
}

/** `from` and `to` as UTC days, the last one inclusive. */
export const utcDays: readonly Filter[] = [
  { kind: "utcDay", name: "from", label: texts.from },
  { kind: "utcDay", name: "to", label: texts.to },
];

const dayMs = 86_400_000;

/** The part of a list's query that the filters set. Invalid values are ignored. */
export function readFilters(params: URLSearchParams, filters: readonly Filter[]) {
  const query: Record<string, string | number> = {};
  for (const filter of filters) {
    const { name } = filter;
    const value = params.get(name);
    if (!value) continue;
    if (filter.kind === "utcDay") {
      const startMs = Date.parse(value);
      if (!Number.isNaN(startMs)) query[name] = new Date(startMs + (name === "to" ? dayMs : 0)).toISOString();
    } else if (filter.kind !== "choice" || filter.searchable) query[name] = value;
    else if (filter.choices.some((choice) => choice.value === value))
      query[name] = filter.isNumber ? Number(value) : value;
  }
  return query;
}

export function Filters({ filters }: { filters: readonly Filter[] }) {
  const { params, set } = useQueryState();
  return (
    <div className={styles.row}>
      {filters.map((filter) => {
        const { name, label } = filter;
        if (filter.kind === "text") return <TextFilter key={name} name={name} label={label} />;
        if (filter.kind === "choice")
          return <SelectFilter key={name} name={name} label={label} filter={filter} />;
        if (filter.kind !== "link")
          return <DateFilter key={name} name={name} label={label} utc={filter.kind === "utcDay"} />;
        return params.has(name) ? (
          <Pill key={name} size="md" withRemoveButton onRemove={() => set({ [name]: null }, { push: true })}>
            {label}
          </Pill>
        ) : null;
      })}
    </div>
  );
}

interface Named {
  name: string;
  label: string;
}

/** Typing finds the others. */
const shownChoices = 100;
const searchableWidth = 300;

function SelectFilter({ name, label, filter }: Named & { filter: ChoiceFilter }) {
  const { params, set } = useQueryState();
  const { choices, searchable = false } = filter;
  return (
    <Select
      className={styles.filter}
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={params.get(name)}
      onChange={(value) => set({ [name]: value }, { push: true })}
      clearable
      searchable={searchable}
      selectFirstOptionOnChange={searchable}
      // Names are often longer than the filter.
      comboboxProps={searchable ? { width: searchableWidth, position: "bottom-start" } : {}}
      classNames={{ option: styles.option ?? "" }}
      limit={shownChoices}
      clearButtonProps={{ "aria-label": texts.clearFilter(label) }}
      size="sm"
    />
  );
}

const typingMs = 250;

function TextFilter({ name, label }: Named) {
  const { params, set } = useQueryState();
  const wanted = params.get(name) ?? "";
  const [text, setText] = useState(wanted);
  const applied = useRef(wanted);
  const apply = useDebouncedCallback((value: string) => {
    const isOther = (applied.current === "") !== (value.trim() === "");
    applied.current = value.trim();
    // Back removes the filter; it does not go through everything that was typed.
    set({ [name]: applied.current }, { push: isOther });
  }, typingMs);
  // The address was changed by something else, such as a saved view.
  useEffect(() => {
    if (applied.current === wanted) return;
    applied.current = wanted;
    setText(wanted);
  }, [wanted]);
  return (
    <TextInput
      className={styles.filter}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
      size="sm"
    />
  );
}

/** A native date input: accessible, and no calendar to load. A day is a UTC day, or one in a location's calendar. */
function DateFilter({ name, label, utc }: Named & { utc: boolean }) {
  const { params, set } = useQueryState();
  const whole = utc ? texts.utc(label) : label;
  return (
    <TextInput
      className={utc ? styles.wideFilter : styles.filter}
      aria-label={whole}
      title={whole}
      leftSection={<span className={styles.prefix}>{whole}</span>}
      leftSectionWidth={utc ? 84 : 48}
      type="date"
      value={params.get(name) ?? ""}
      onChange={(event) => set({ [name]: event.currentTarget.value }, { push: true })}
      size="sm"
    />
  );
}
