import { Select, Text } from "@mantine/core";
import { suggestTarget, type ColumnSample } from "@gatehouse-parking/record-files";
import type { ColumnChoice } from "./choices.js";
import { Conversion } from "./conversion.js";
import { fieldChoices } from "./field-choices.js";
import type { MappingProps } from "./mapping-panel.js";
import type { Question } from "./questions.js";
import { shortText } from "../short-text.js";
import styles from "../uploads.module.css";

const shownValues = 3;
const leaveOut = "Leave out";

export interface ColumnProps extends MappingProps {
  sample: ColumnSample;
  questions: readonly Question[];
  onChoice: (choice: ColumnChoice | null) => void;
}

/** One column: what it holds, where it goes, and how it is written. */
export function ColumnRow({ companionOf, ...props }: ColumnProps & { companionOf: string | undefined }) {
  const { sample, resource, choices, locations, questions, onChoice } = props;
  const { name } = sample;
  const choice = choices.columns[name];
  const paths = fieldChoices(resource, name);
  const own = choice && !paths.some(({ items }) => items.includes(choice.to)) ? [choice.to] : [];

  /** The field, with how its values seem to be written. */
  function choose(path: string | null) {
    if (path === null || path === leaveOut) return onChoice(null);
    const target = suggestTarget({ resource, locations, path, column: sample });
    return onChoice(typeof target === "string" ? { to: target } : (target as unknown as ColumnChoice));
  }

  return (
    <fieldset className={styles.column} aria-label={name}>
      <div className={styles.source}>
        <span className={styles.name}>{name}</span>
        <span className={styles.samples}>
          {[...new Set(sample.values)].slice(0, shownValues).map(shortText).join(" · ") || "empty"}
        </span>
      </div>
      <div className={styles.target}>
        {companionOf !== undefined && !choice ? (
          <Text size="sm" c="dimmed">
            Read together with “{companionOf}”
          </Text>
        ) : (
          <Select
            aria-label={`Field for ${name}`}
            placeholder="Nothing in it"
            data={[leaveOut, ...paths, ...(own.length > 0 ? [{ group: "As it is", items: own }] : [])]}
            value={choice === null ? leaveOut : (choice?.to ?? null)}
            onChange={choose}
            searchable
            allowDeselect={false}
            size="xs"
          />
        )}
      </div>
      {choice ? <Conversion {...props} choice={choice} /> : null}
      {questions.map(({ text, isBlocking }) => (
        <p key={text} className={styles.question} data-blocking={isBlocking || undefined}>
          {text}
        </p>
      ))}
    </fieldset>
  );
}
