import { Button, CloseButton, Combobox, Group, Popover, Stack, TextInput, useCombobox } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useQueryState } from "../ui/query-state.js";
import type { ChoiceFilter, DaysFilter } from "./filters.js";
import styles from "./filters.module.css";
import { texts } from "./texts.js";

interface Adding {
  /** It has no value yet and is open. */
  isNew: boolean;
  onClose: () => void;
}

/** Typing finds the others. */
const shownChoices = 100;

export function ChoiceChip({ filter, isNew, onClose }: Adding & { filter: ChoiceFilter }) {
  const { name, label, choices, searchable = false } = filter;
  const { params, set } = useQueryState();
  const [text, setText] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const combobox = useCombobox({
    defaultOpened: isNew,
    onDropdownOpen: () => (searchable ? combobox.focusSearchInput() : undefined),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setText("");
      onClose();
    },
  });
  const { focusSearchInput } = combobox;
  useEffect(() => {
    if (!isNew) return;
    if (searchable) focusSearchInput();
    else button.current?.focus();
  }, [isNew, searchable, focusSearchInput]);
  const value = params.get(name);
  const found = choices.filter((choice) => choice.label.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Chip label={label} name={name}>
      <Combobox
        store={combobox}
        width={260}
        position="bottom-start"
        onOptionSubmit={(chosen) => {
          set({ [name]: chosen }, { push: true });
          combobox.closeDropdown();
          button.current?.focus();
        }}
      >
        <Combobox.Target targetType="button">
          <ChipButton
            ref={button}
            label={label}
            value={choices.find((choice) => choice.value === value)?.label ?? value}
            onClick={() => combobox.toggleDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          {searchable ? (
            <Combobox.Search
              aria-label={label}
              placeholder={label}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : null}
          <Combobox.Options className={styles.options}>
            {found.slice(0, shownChoices).map((choice) => (
              <Combobox.Option
                key={choice.value}
                value={choice.value}
                active={choice.value === value}
                className={styles.option}
              >
                {choice.label}
              </Combobox.Option>
            ))}
            {found.length === 0 ? <Combobox.Empty>{texts.noChoice}</Combobox.Empty> : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </Chip>
  );
}

export function DaysChip({ filter, isNew, onClose }: Adding & { filter: DaysFilter }) {
  const { name, to, label, isUtc } = filter;
  const { params, set } = useQueryState();
  const [opened, setOpened] = useState(isNew);
  const [first, last] = [params.get(name), params.get(to)];
  const change = (isOpen: boolean) => {
    setOpened(isOpen);
    if (!isOpen) onClose();
  };
  const day = (parameter: string, text: string) => (
    <TextInput
      type="date"
      label={isUtc ? texts.utc(text) : text}
      value={params.get(parameter) ?? ""}
      onChange={(event) => set({ [parameter]: event.currentTarget.value }, { push: true })}
    />
  );
  return (
    <Chip label={label} name={name} alsoName={to}>
      <Popover opened={opened} onChange={change} position="bottom-start" trapFocus returnFocus withinPortal>
        <Popover.Target>
          <ChipButton label={label} value={texts.days(first, last)} onClick={() => change(!opened)} />
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm">
            <Group gap="xs">
              {isUtc
                ? Object.entries(texts.lastDays).map(([count, preset]) => (
                    <Button
                      key={count}
                      size="compact-sm"
                      variant="default"
                      onClick={() => {
                        set({ [name]: dayBefore(Number(count) - 1), [to]: null }, { push: true });
                        change(false);
                      }}
                    >
                      {preset}
                    </Button>
                  ))
                : null}
            </Group>
            {day(name, texts.from)}
            {day(to, texts.to)}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Chip>
  );
}

const dayMs = 86_400_000;

/** As in the address, in UTC. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}

export function LinkChip({ name, label }: { name: string; label: string }) {
  return (
    <Chip name={name} label={label}>
      <span className={styles.chipText}>{label}</span>
    </Chip>
  );
}

/** With a button that removes the filter. */
function Chip(props: { name: string; alsoName?: string; label: string; children: ReactNode }) {
  const { name, alsoName, label, children } = props;
  const { params, set } = useQueryState();
  const isSet = params.has(name) || (alsoName !== undefined && params.has(alsoName));
  return (
    <div className={styles.chip}>
      {children}
      {isSet ? (
        <CloseButton
          size="sm"
          aria-label={texts.clearFilter(label)}
          onClick={() => set({ [name]: null, ...(alsoName && { [alsoName]: null }) }, { push: true })}
        />
      ) : null}
    </div>
  );
}

function ChipButton({
  label,
  value,
  ...others
}: {
  ref?: React.Ref<HTMLButtonElement>;
  label: string;
  value: string | null;
  onClick: () => void;
}) {
  return (
    <button type="button" {...others} className={styles.chipText}>
      {value ? `${label}: ` : label}
      {value ? <strong>{value}</strong> : null}
    </button>
  );
}
