import { Alert, Fieldset, Stack } from "@mantine/core";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import { messageOf, remarkMessages } from "@gatehouse-parking/record-files";
import type { ReactNode } from "react";
import { Panel } from "../../../core/ui/page.js";
import type { FileContent } from "../file/inspect-file.js";
import styles from "../uploads.module.css";
import { ColumnRow } from "./column-row.js";
import { FileRules, FixedValues } from "./file-rules.js";
import { companionsOf, withColumn, type MappingChoices } from "./mapping-choices.js";
import type { OpenQuestion } from "./open-questions.js";

export interface MappingProps {
  content: FileContent;
  resource: ImportResourceName;
  choices: MappingChoices;
  locations: readonly Location[];
  onChange: (choices: MappingChoices) => void;
}

/** Maps columns to fields. Nested fields have dotted paths, such as vehicle.licensePlate. */
export function MappingPanel({
  questions,
  isLocked,
  offered,
  keep,
  ...props
}: MappingProps & {
  questions: readonly OpenQuestion[];
  /** Locked while records are sent, so that the shown mapping is the one in use. */
  isLocked: boolean;
  /** Saved mappings that fit the file. */
  offered: ReactNode;
  /** Saves the mapping. */
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
