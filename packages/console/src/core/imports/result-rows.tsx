import { reasonName, RecordStatus, type ImportResource } from "@gatehouse-parking/contract";
import type { FieldDifference, RunResult } from "@gatehouse-parking/contract/console";
import { memo, useCallback, useState, type MouseEvent } from "react";
import { useLocation, useRouter } from "wouter";
import { Slot } from "../features.js";
import { ResolutionTraceList } from "../records/linked-records.js";
import { resourceName } from "../records/record-kinds.js";
import styles from "./results.module.css";

export function ResultRows({
  results,
  resource,
}: {
  results: readonly RunResult[];
  resource: ImportResource;
}) {
  const { base } = useRouter();
  const [, navigate] = useLocation();
  // One click handler for all rows: a Link component in each of them is noticeably slower.
  const follow = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      navigate(event.currentTarget.dataset["path"] ?? "/");
    },
    [navigate],
  );
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
            <ResultRow
              key={result.position}
              result={result}
              resource={resource}
              base={base}
              follow={follow}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const statusLabels = {
  [RecordStatus.Created]: { label: "Created", style: styles.created },
  [RecordStatus.Skipped]: { label: "Skipped", style: styles.skipped },
  [RecordStatus.Failed]: { label: "Failed", style: styles.failed },
};

const ResultRow = memo(function ResultRow({
  result,
  resource,
  base,
  follow,
}: {
  result: RunResult;
  resource: ImportResource;
  base: string;
  follow: (event: MouseEvent<HTMLAnchorElement>) => void;
}) {
  const [open, setOpen] = useState(false);
  const { label, style } = statusLabels[result.status];
  const more = summaryOf(result);
  const path = `/records/${resourceName(resource)}/${result.uuid ?? ""}`;
  return (
    <>
      <tr>
        <td className={styles.position}>{result.position + 1}</td>
        <td className={styles.reference}>
          {result.uuid ? (
            <a href={base + path} data-path={path} onClick={follow}>
              {result.reference}
            </a>
          ) : (
            result.reference || <span className={styles.none}>no usable reference</span>
          )}
        </td>
        <td>
          <span className={style}>{label}</span>
          <span className={styles.none}>
            <Slot name="resultMark" props={{ result }} />
          </span>
        </td>
        <td className={styles.detail}>
          {result.reasonCode === undefined ? null : (
            <span className={styles.reason}>{reasonName(result.reasonCode)}</span>
          )}
          {result.errorDetail}
          {result.sent?.map(({ field, value, isCut }) => (
            <span key={field} className={styles.sent}>
              {field} was sent as <span className={styles.value}>{value === "" ? "(empty)" : value}</span>
              {isCut ? " (the beginning of it)" : ""}
            </span>
          ))}
          {more ? (
            <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
              {more}
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

/** A summary of the details that the row can show, if it has any. */
function summaryOf(result: RunResult): string | undefined {
  if (result.differences?.length) {
    return result.differences.length === 1 ? "1 field differs" : `${result.differences.length} fields differ`;
  }
  const relations = Object.entries(result.trace ?? {});
  if (relations.length === 0) return undefined;
  return relations.map(([name, relation]) => `${name}: ${relation.via}`).join(", ");
}

function ResultDetail({ result }: { result: RunResult }) {
  return (
    <>
      {result.trace ? <ResolutionTraceList trace={result.trace} /> : null}
      {result.differences?.length ? <Differences differences={result.differences} /> : null}
    </>
  );
}

/** The stored and the sent value of each differing field, exactly as spelled. */
function Differences({ differences }: { differences: readonly FieldDifference[] }) {
  return (
    <table className={styles.differences}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Stored</th>
          <th scope="col">Sent this time</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <tr key={difference.field}>
            <th scope="row" className={styles.field}>
              {difference.field}
            </th>
            <td className={styles.storedValue}>{difference.stored ?? <em>not given</em>}</td>
            <td className={styles.sentValue}>{difference.sent ?? <em>not given</em>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
