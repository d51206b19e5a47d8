import { Alert, Fieldset, Stack } from "@mantine/core";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import { messageOf, remarkMessages } from "@gatehouse-parking/record-files";
import type { ReactNode } from "react";
import { Panel } from "../../ui/panel.js";
import type { FileContent } from "../file/inspect.js";
import { companionsOf, withColumn, type Choices } from "./choices.js";
import { ColumnRow } from "./column-row.js";
import { FileRules } from "./file-rules.js";
import { FixedValues } from "./fixed-values.js";
import type { Question } from "./questions.js";
import styles from "../uploads.module.css";

export interface MappingProps {
  content: FileContent;
  resource: ImportResourceName;
  choices: Choices;
  locations: readonly Location[];
  onChange: (choices: Choices) => void;
}

/** Which column is which field, and how its values are written. Nested fields have dotted paths, such as vehicle.licensePlate. */
export function MappingPanel({
  questions,
  isLocked,
  offered,
  keep,
  ...props
}: MappingProps & {
  questions: readonly Question[];
  /** While records are sent, they must be of the mapping that is shown. */
  isLocked: boolean;
  /** Mappings that were kept before. */
  offered: ReactNode;
  /** Keeps this one. */
  keep: ReactNode;
}) {
  const { content, choices, onChange } = props;
  const companions = companionsOf(choices);
  const notes = content.suggestion.assumptions.map((remark) => messageOf(remarkMessages, remark));
  return (
    <Panel
      title="3. Where the columns go"
      description="Suggested from the names of the columns and from what they hold. What the file does not tell is asked."
    >
      <Stack gap="md">
        {offered}
        <Fieldset variant="unstyled" aria-label="Mapping" m={0} miw={0} disabled={isLocked}>
          <Stack gap="md">
            <div className={styles.columns}>
              {content.samples.map((sample) => (
                <ColumnRow
                  key={sample.name}
                  {...props}
                  sample={sample}
                  companionOf={companions.get(sample.name)}
                  questions={questions.filter(({ column }) => column === sample.name)}
                  onChoice={(choice) => onChange(withColumn(choices, sample.name, choice))}
                />
              ))}
            </div>
            <FixedValues {...props} />
            <FileRules {...props} />
          </Stack>
        </Fieldset>
        {notes.length > 0 ? (
          <Alert color="gray" p="sm" title="Taken for granted">
            <ul className={styles.notes}>
              {notes.map((note) => (
                <li key={note}>{note}.</li>
              ))}
            </ul>
          </Alert>
        ) : null}
        {questions.some(({ column }) => column === undefined) ? (
          <Alert color="yellow" p="sm" title="Before the file can be checked">
            <ul className={styles.notes}>
              {questions
                .filter(({ column }) => column === undefined)
                .map(({ text }) => (
                  <li key={text}>{text}</li>
                ))}
            </ul>
          </Alert>
        ) : null}
        {keep}
      </Stack>
    </Panel>
  );
}
