import { reasonName, RecordStatus, type ImportResource } from "@gatehouse/contract";
import type { RunResult } from "@gatehouse/service/console/api";
import { memo, useState } from "react";
import { Link } from "wouter";
import { resourceName } from "./commands.js";
import { ResultDetail } from "./result-detail.js";
import styles from "./result-rows.module.css";

/** Up to 500 rows of plain elements, so that all of them are on the page, findable and quick. */
export function ResultRows({
  results,
  resource,
}: {
  results: readonly RunResult[];
  resource: ImportResource;
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} aria-label="Results" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.position}>
              #
            </th>
            <th scope="col">Reference</th>
            <th scope="col">Outcome</th>
            <th scope="col" className={styles.detail}>
              Detail
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <ResultRow key={result.position} result={result} resource={resource} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const looks = {
  [RecordStatus.Created]: { label: "Created", style: styles.created },
  [RecordStatus.Skipped]: { label: "Skipped", style: styles.skipped },
  [RecordStatus.Failed]: { label: "Failed", style: styles.failed },
};

const ResultRow = memo(function ResultRow({
  result,
  resource,
}: {
  result: RunResult;
  resource: ImportResource;
}) {
  const [open, setOpen] = useState(false);
  const { label, style } = looks[result.status];
  const expandable = result.trace !== undefined || (result.differences?.length ?? 0) > 0;
  return (
    <>
      <tr>
        <td className={styles.position}>{result.position}</td>
        <td className={styles.reference}>
          {result.uuid ? (
            <Link href={`/records/${resourceName(resource)}/${result.uuid}`}>{result.reference}</Link>
          ) : (
            result.reference || <span className={styles.none}>no usable reference</span>
          )}
        </td>
        <td>
          <span className={style}>{label}</span>
        </td>
        <td className={styles.detail}>
          {result.reasonCode === undefined ? null : (
            <span className={styles.reason}>{reasonName(result.reasonCode)}</span>
          )}
          {result.errorDetail}
          {expandable ? (
            <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
              {summary(result)}
            </button>
          ) : null}
        </td>
      </tr>
      {open ? (
        <tr>
          <td colSpan={4} className={styles.expanded}>
            <ResultDetail result={result} />
          </td>
        </tr>
      ) : null}
    </>
  );
});

function summary(result: RunResult): string {
  if (result.differences?.length) {
    return result.differences.length === 1 ? "1 field differs" : `${result.differences.length} fields differ`;
  }
  const relations = Object.entries(result.trace ?? {});
  if (relations.length === 0) return "no relations";
  return relations.map(([name, relation]) => `${name}: ${relation.via}`).join(", ");
}
