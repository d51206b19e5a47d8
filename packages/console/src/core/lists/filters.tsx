import { Button, Menu, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { IconFilter } from "../ui/icons.js";
import { useQueryState } from "../ui/query-state.js";
import { ChoiceChip, DaysChip, LinkChip } from "./filter-chips.js";
import styles from "./filters.module.css";
import { useClearFilters } from "./list-state.js";
import { texts } from "./texts.js";

/** A filter keeps its value in the address, under its name. The query of the list has the same name. */
export type Filter = TextFilter | DaysFilter | ChoiceFilter | LinkFilter;

interface Named {
  name: string;
  label: string;
}
interface TextFilter extends Named {
  kind: "text";
}
/** From one day to another, both inclusive. Days are UTC days, or days in the calendar of a location. */
export interface DaysFilter extends Named {
  kind: "days";
  /** The name of the last day. `name` is the first one. */
  to: string;
  isUtc: boolean;
}
/** Set by a link from another page. It can only be removed. */
interface LinkFilter extends Named {
  kind: "link";
}
export interface ChoiceFilter extends Named {
  kind: "choice";
  choices: readonly { value: string; label: string }[];
  /** For many choices, which may still be loading. Other filters ignore unknown values. */
  searchable?: boolean;
  isNumber?: boolean;
  /** Always shown, such as an order. */
  isShown?: boolean;
}

/** A choice between labelled values. */
export function choice(name: string, label: string, labels: Readonly<Record<string, string>>): ChoiceFilter {
  const choices = Object.entries(labels).map(([value, text]) => ({ value, label: text }));
  return { kind: "choice", name, label, choices };
}

export const utcDays: DaysFilter = {
  kind: "days",
  name: "from",
  to: "to",
  label: texts.utc(texts.dates),
  isUtc: true,
};

const dayMs = 86_400_000;

/** The part of a list's query that the filters set. Invalid values are ignored. */
export function readFilters(params: URLSearchParams, filters: readonly Filter[]) {
  const query: Record<string, string | number> = {};
  const readDay = (name: string, isUtc: boolean, isLast: boolean) => {
    const value = params.get(name);
    if (!value) return;
    const startMs = Date.parse(value);
    if (!isUtc) query[name] = value;
    else if (!Number.isNaN(startMs)) query[name] = new Date(startMs + (isLast ? dayMs : 0)).toISOString();
  };
  for (const filter of filters) {
    const { kind, name } = filter;
    const value = params.get(name);
    if (kind === "days") {
      readDay(name, filter.isUtc, false);
      readDay(filter.to, filter.isUtc, true);
    } else if (!value) continue;
    else if (kind !== "choice" || filter.searchable) query[name] = value;
    else if (filter.choices.some((choice) => choice.value === value))
      query[name] = filter.isNumber ? Number(value) : value;
  }
  return query;
}

/** Fields for texts, and a chip for each other filter that is set. */
export function Filters({ filters }: { filters: readonly Filter[] }) {
  const { params } = useQueryState();
  const clear = useClearFilters();
  // Its chip is open, and disappears unless the user chooses a value.
  const [added, setAdded] = useState<string | null>(null);
  const isSet = (filter: Filter) =>
    params.has(filter.name) || (filter.kind === "days" && params.has(filter.to));
  const chips = filters.filter(
    (filter) => filter.kind !== "text" && !(filter.kind === "choice" && filter.isShown),
  );
  const others = chips.filter((filter) => filter.kind !== "link" && filter.name !== added && !isSet(filter));
  return (
    <div className={styles.row}>
      {filters.map((filter) => {
        if (filter.kind === "text") return <TextField key={filter.name} {...filter} />;
        return filter.kind === "choice" && filter.isShown ? (
          <SelectField key={filter.name} filter={filter} />
        ) : null;
      })}
      {chips.map((filter) => {
        const { name } = filter;
        if (!isSet(filter) && name !== added) return null;
        const adding = { isNew: name === added, onClose: () => setAdded(null) };
        if (filter.kind === "choice") return <ChoiceChip key={name} filter={filter} {...adding} />;
        if (filter.kind === "days") return <DaysChip key={name} filter={filter} {...adding} />;
        return <LinkChip key={name} {...filter} />;
      })}
      {others.length > 0 ? (
        // The focus moves on to the new chip.
        <Menu position="bottom-start" returnFocus={false}>
          <Menu.Target>
            <Button variant="default" size="sm" leftSection={<IconFilter size={15} aria-hidden />}>
              {texts.filter}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setAdded(name)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {chips.some(isSet) ? (
        <Button variant="subtle" size="sm" onClick={clear}>
          {texts.clearAll}
        </Button>
      ) : null}
    </div>
  );
}

function SelectField({ filter: { name, label, choices } }: { filter: ChoiceFilter }) {
  const { params, set } = useQueryState();
  return (
    <Select
      className={styles.field}
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={params.get(name)}
      onChange={(value) => set({ [name]: value }, { push: true })}
      clearable
      clearButtonProps={{ "aria-label": texts.clearFilter(label) }}
      size="sm"
    />
  );
}

const typingMs = 250;

function TextField({ name, label }: Named) {
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
      className={styles.field}
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
