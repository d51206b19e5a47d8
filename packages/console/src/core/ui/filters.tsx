import { Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState, type ReactNode } from "react";
import styles from "./filters.module.css";
import { useQueryState } from "./query-state.js";

/** A row of filters, each of which keeps its value in the address. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Typing finds the others. */
const shownChoices = 100;
const searchableWidth = 300;

export function SelectFilter({
  name,
  label,
  choices,
  searchable = false,
}: {
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  searchable?: boolean;
}) {
  const { params, set } = useQueryState();
  return (
    <Select
      className={styles.filter}
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={params.get(name)}
      onChange={(value) => set({ [name]: value })}
      clearable
      searchable={searchable}
      selectFirstOptionOnChange={searchable}
      // Names are often longer than the filter.
      comboboxProps={searchable ? { width: searchableWidth, position: "bottom-start" } : {}}
      classNames={{ option: styles.option ?? "" }}
      limit={shownChoices}
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      size="sm"
    />
  );
}

const typingMs = 250;

export function TextFilter({ name, label }: { name: string; label: string }) {
  const { params, set } = useQueryState();
  const wanted = params.get(name) ?? "";
  const [text, setText] = useState(wanted);
  const applied = useRef(wanted);
  const apply = useDebouncedCallback((value: string) => {
    applied.current = value.trim();
    set({ [name]: applied.current });
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

/** A native date input: accessible, and no calendar to load. */
export function DateFilter({
  name,
  label,
  utc = false,
}: {
  name: string;
  label: string;
  /** A UTC day. Otherwise a day in a location's calendar. */
  utc?: boolean;
}) {
  const { params, set } = useQueryState();
  const whole = utc ? `${label} (UTC)` : label;
  return (
    <TextInput
      className={utc ? styles.wideFilter : styles.filter}
      aria-label={whole}
      title={whole}
      leftSection={<span className={styles.prefix}>{whole}</span>}
      leftSectionWidth={utc ? 84 : 48}
      type="date"
      value={params.get(name) ?? ""}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      size="sm"
    />
  );
}
