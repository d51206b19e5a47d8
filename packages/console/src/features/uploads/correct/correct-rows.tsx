import { Alert, Badge, Button, CloseButton, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { reasonName } from "@gatehouse-parking/contract";
import type { UploadDetail, UploadFailure } from "@gatehouse-parking/contract/console";
import { useId, useMemo, useState } from "react";
import { useLeaveWarning } from "../../../core/shell/leave-guard.js";
import { Failure } from "../../../core/ui/states.js";
import { DataTable, type Column } from "../../../core/ui/table.js";
import { texts as uploadTexts } from "../texts.js";
import { texts } from "./texts.js";
import {
  correctedCells,
  editCell,
  hasCorrections,
  noCorrections,
  removeReplacement,
  replaceAll,
  type Corrections,
} from "./corrections.js";
import styles from "./correct-rows.module.css";
import { columnsOfFields, problemsByColumn, type RowProblems } from "./row-problems.js";
import { useSendCorrections, type SentRows } from "./use-send-corrections.js";

/** Corrections that survive paging through the failed rows. */
export function useCorrections(upload: UploadDetail) {
  const [corrections, setCorrections] = useState(noCorrections);
  const sending = useSendCorrections(upload, setCorrections);
  useLeaveWarning(hasCorrections(corrections) ? texts.leaveWithCorrections : null);
  return { corrections, setCorrections, sending };
}

export type CorrectionState = ReturnType<typeof useCorrections>;

/** Failed rows with editable cells. */
export function CorrectRows({
  upload,
  rows,
  state,
}: {
  upload: UploadDetail;
  rows: UploadFailure[];
  state: CorrectionState;
}) {
  const { corrections, setCorrections, sending } = state;
  const names = useMemo(() => upload.columns ?? [], [upload.columns]);
  const fields = useMemo(() => columnsOfFields(names, upload.mapping), [names, upload.mapping]);
  const columns = correctionColumns(names, {
    problemsOf: ({ message }) => problemsByColumn(message, names, fields),
    corrections,
    isLocked: sending.isSending,
    onChange: setCorrections,
  });
  return (
    <>
      <DataTable
        label={uploadTexts.failures.title}
        columns={columns}
        rows={rows}
        rowKey={({ row }) => String(row)}
      />
      <Stack gap="sm" p="md">
        <Replacements
          columns={names}
          corrections={corrections}
          isLocked={sending.isSending}
          onChange={setCorrections}
        />
        {sending.error ? <Failure error={sending.error} /> : null}
        <Group gap="sm">
          <Button
            disabled={!hasCorrections(corrections)}
            loading={sending.isSending}
            onClick={() => void sending.send(corrections)}
          >
            {texts.correct.send}
          </Button>
          {hasCorrections(corrections) && !sending.isSending ? (
            <Button variant="default" onClick={() => setCorrections(noCorrections)}>
              {texts.correct.discard}
            </Button>
          ) : null}
          <output className={styles.status}>{sending.isWaiting ? texts.correct.waiting : null}</output>
        </Group>
      </Stack>
    </>
  );
}

interface EditableTable extends Pick<EditableCellProps, "corrections" | "isLocked" | "onChange"> {
  problemsOf: (row: UploadFailure) => RowProblems;
}

function correctionColumns(
  names: readonly string[],
  { problemsOf, ...table }: EditableTable,
): Column<UploadFailure>[] {
  return [
    { header: uploadTexts.failures.line, cell: ({ line }) => line, align: "right" },
    {
      header: uploadTexts.failures.problem,
      cell: (row) => <RowProblem row={row} problems={problemsOf(row)} />,
      wrap: true,
    },
    ...names.map((name, column): Column<UploadFailure> => ({
      header: name,
      cell: (row) => (
        <EditableCell {...{ row, column, name }} {...table} problems={problemsOf(row).get(column) ?? []} />
      ),
    })),
  ];
}

/** Problems of the whole row, and who corrected it before. */
function RowProblem({ row, problems }: { row: UploadFailure; problems: RowProblems }) {
  const own = problems.get(-1) ?? [];
  return (
    <>
      {own.map((text) => (
        <span key={text} className={styles.problem}>
          {text}
        </span>
      ))}
      {own.length === 0 ? texts.correct.seeCells(problems.size) : null}
      <Text size="xs" c="dimmed" component="span" display="block">
        {row.reasonCode === null ? uploadTexts.failures.notSent : reasonName(row.reasonCode)}
        {row.correctedBy === null ? "" : texts.correct.correctedBy(row.attempt, row.correctedBy)}
      </Text>
    </>
  );
}

interface EditableCellProps {
  row: UploadFailure;
  column: number;
  name: string;
  problems: readonly string[];
  corrections: Corrections;
  isLocked: boolean;
  onChange: (change: (before: Corrections) => Corrections) => void;
}

/** Longer values, such as JSON, get several lines. */
const maxSingleLineLength = 60;

function EditableCell({ row, column, name, problems, corrections, isLocked, onChange }: EditableCellProps) {
  const id = useId();
  const stored = row.cells[column] ?? "";
  const value = correctedCells(corrections, row)[column] ?? "";
  const isEdited = corrections.cells.get(row.row)?.has(column) ?? false;
  const Input = stored.length > maxSingleLineLength ? Textarea : TextInput;
  const input = {
    "aria-label": texts.correct.cell(name, row.line),
    value,
    disabled: isLocked,
    error: problems.length > 0 && value === stored,
    "aria-describedby": problems.length > 0 ? id : undefined,
    classNames: { input: isEdited || value !== stored ? styles.edited : undefined },
    onChange: ({ currentTarget: { value: entered } }: { currentTarget: { value: string } }) =>
      onChange((before) => editCell(before, row, column, entered)),
  };
  return (
    <div className={styles.cell}>
      <Input size="xs" {...(input as object)} />
      {problems.length > 0 ? (
        <span id={id} className={styles.problem}>
          {problems.join("; ")}
        </span>
      ) : null}
      {isEdited && !isLocked ? (
        <Button
          size="compact-xs"
          variant="light"
          aria-label={texts.correct.replaceAllOf(stored, name, value)}
          onClick={() => onChange((before) => replaceAll(before, row, column))}
        >
          {texts.correct.replaceAll(stored)}
        </Button>
      ) : null}
    </div>
  );
}

function Replacements({
  columns,
  corrections,
  isLocked,
  onChange,
}: {
  columns: readonly string[];
  corrections: Corrections;
  isLocked: boolean;
  onChange: (change: (before: Corrections) => Corrections) => void;
}) {
  if (corrections.replacements.length === 0) return null;
  return (
    <ul className={styles.replacements} aria-label={texts.correct.replacements}>
      {corrections.replacements.map((one) => {
        const text = texts.correct.replacement(columns[one.column] ?? "", one.from, one.to);
        return (
          <li key={`${one.column} ${one.from}`}>
            {text}
            <CloseButton
              size="sm"
              aria-label={texts.correct.removeReplacement(text)}
              disabled={isLocked}
              onClick={() => onChange((before) => removeReplacement(before, one))}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** What became of the rows. Stays visible when no failed row is left. */
export function SentCorrections({ sent }: { sent: SentRows | null }) {
  if (!sent) return null;
  const people = [...new Set(sent.notSent.flatMap(({ by }) => by ?? []))];
  return (
    <output>
      <Alert
        color={sent.failed > 0 || sent.notSent.length > 0 ? "yellow" : "teal"}
        p="sm"
        role="presentation"
      >
        {texts.correct.sent(sent)}
        {sent.notSent.length > 0 ? ` ${texts.correct.notSent(sent.notSent.length, people)}` : ""}
        {sent.isDone ? null : <Badge ml="xs">{texts.correct.sending}</Badge>}
      </Alert>
    </output>
  );
}
