import { Alert, Badge } from "@mantine/core";

import { Panel } from "../../../core/ui/page.js";
import { truncate, type PreviewCell, type PreviewRow } from "./preview.js";
import styles from "./preview.module.css";
import { texts as uploadTexts } from "../texts.js";
import { texts } from "./texts.js";

/** The first rows as they will be sent, updated with every choice. */
export function PreviewPanel({ preview }: { preview: PreviewRow[] | { problem: string } }) {
  if ("problem" in preview)
    return (
      <Panel title={texts.title}>
        <Alert color="yellow" p="sm">
          {preview.problem}
        </Alert>
      </Panel>
    );
  const faulty = preview.filter(isFaulty).length;
  const leftOut = preview.filter((row) => row.leftOut !== undefined).length;
  return (
    <Panel title={texts.title} description={texts.summary(preview.length, faulty, leftOut)} flush>
      {/* Focusable for scrolling with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles.scroll} aria-label={texts.label} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{uploadTexts.failures.line}</th>
              <th scope="col">{texts.row}</th>
              {preview[0]?.cells.map(({ path, isAmount }) => (
                <th key={path} scope="col" className={isAmount ? styles.amount : undefined}>
                  {path}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map((row) => (
              <tr key={row.line}>
                <td className={styles.line}>{row.line}</td>
                <td>
                  <RowBadge row={row} />
                  {row.leftOut === undefined ? null : <p className={styles.note}>{row.leftOut}</p>}
                  {row.isUnlike ? <p className={styles.note}>{texts.unlike}</p> : null}
                  {row.problems.map((problem) => (
                    <p key={problem} className={styles.problem}>
                      {problem}
                    </p>
                  ))}
                </td>
                {row.cells.map((cell) => (
                  <Cell key={cell.path} cell={cell} isSent={!isFaulty(row) && row.leftOut === undefined} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function RowBadge({ row }: { row: PreviewRow }) {
  if (row.leftOut !== undefined) return <Badge color="gray">{texts.rowLeftOut}</Badge>;
  return (
    <Badge color={isFaulty(row) ? "red" : "teal"}>{isFaulty(row) ? texts.rowFails : texts.rowReady}</Badge>
  );
}

function isFaulty({ cells, problems }: PreviewRow): boolean {
  return problems.length > 0 || cells.some((cell) => cell.problems.length > 0);
}

function Cell({
  cell: { original, sent, isAmount, problems },
  isSent,
}: {
  cell: PreviewCell;
  isSent: boolean;
}) {
  const shown = sent ?? (isSent ? undefined : original);
  return (
    <td
      className={[isAmount && styles.amount, problems.length > 0 && styles.faulty].filter(Boolean).join(" ")}
    >
      {shown === undefined || shown === "" ? (
        <span className={styles.absent}>{texts.notGiven}</span>
      ) : (
        <span className={styles.sent}>{truncate(shown)}</span>
      )}
      {sent !== undefined && original !== undefined && original.trim() !== sent ? (
        <span className={styles.original}>{texts.from(truncate(original))}</span>
      ) : null}
      {problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          {problem}
        </p>
      ))}
    </td>
  );
}
