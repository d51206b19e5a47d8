import { ActionIcon, Button, Group, Select, TextInput, type SelectProps } from "@mantine/core";
import { useState } from "react";
import { IconPlus, IconTrash } from "../../../core/ui/icons.js";
import styles from "../uploads.module.css";
import type { ConversionProps } from "./column-row.js";
import { texts } from "./texts.js";

const shownMeanings = 100;

interface Meaning {
  value: string;
  label: string;
}

/** Maps words of the file to values: unknown words, and those that are already mapped. */
export function ValueMap(
  props: ConversionProps & { unknown: readonly string[]; meanings: readonly Meaning[] },
) {
  const { label, choice, onChoice, unknown, meanings } = props;
  const [added, setAdded] = useState<string | null>(null);
  const values = choice.values ?? {};
  const words = [...new Set([...Object.keys(values), ...unknown])];
  const set = (next: Record<string, unknown>) =>
    onChoice({ ...choice, values: Object.keys(next).length > 0 ? next : undefined });

  function without(word: string) {
    const { [word]: _, ...rest } = values;
    set(rest);
  }

  const meaningSelect = (select: Pick<SelectProps, "aria-label" | "value" | "onChange" | "disabled">) => (
    <Select
      placeholder={texts.values.meaning}
      size="xs"
      className={styles.meaning}
      data={[...meanings]}
      limit={shownMeanings}
      searchable={meanings.length > 8}
      {...select}
    />
  );
  return (
    <div className={styles.values}>
      {words.map((word) => (
        <Group key={word} gap="xs" wrap="nowrap">
          <span className={styles.word}>{word}</span>
          {meaningSelect({
            "aria-label": texts.values.meaningOf(word, label),
            value: meaningOf(values[word], meanings),
            onChange: (meaning) => (meaning === null ? without(word) : set({ ...values, [word]: meaning })),
          })}
          {unknown.includes(word) ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.values.forget(word)}
              onClick={() => without(word)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {added === null ? (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => setAdded("")}
        >
          {texts.values.addWord}
        </Button>
      ) : (
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label={texts.values.word(label)}
            placeholder={texts.values.wordHint}
            size="xs"
            className={styles.word}
            value={added}
            onChange={(event) => setAdded(event.currentTarget.value)}
          />
          {meaningSelect({
            "aria-label": texts.values.meaningOfNew(label),
            value: null,
            disabled: added.trim() === "",
            onChange: (meaning) => {
              if (meaning === null) return;
              set({ ...values, [added.trim()]: meaning });
              setAdded(null);
            },
          })}
        </Group>
      )}
    </div>
  );
}

/** Mapping files may use the number of an enumeration value, or its name in any case. */
function meaningOf(value: unknown, meanings: readonly { value: string }[]): string | null {
  const text = String(value ?? "").toLowerCase();
  return meanings.find((meaning) => meaning.value.toLowerCase() === text)?.value ?? null;
}
