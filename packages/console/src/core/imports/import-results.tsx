import { Anchor, CloseButton, Pill, SegmentedControl, TextInput } from "@mantine/core";
import { type ImportResource, reasonName, RecordStatus } from "@gatehouse-parking/contract";
import type { FieldDifference, RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import {
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
} from "react";
import { useLocation, useRouter } from "wouter";
import { Slot } from "../features.js";
import { ResolutionTraceList } from "../records/record-details.js";
import { resourceName } from "../records/record-kinds.js";
import { IconSearch } from "../ui/icons.js";
import { Panel } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import styles from "./results.module.css";
import { texts } from "./texts.js";
import { PagingBar, PagingButton } from "../ui/paging.js";

type ResultFilter = "all" | "created" | "skipped" | "failed" | "differing" | "dropped";

const resultFilters: Record<ResultFilter, (result: RunResult) => boolean> = {
  all: () => true,
  created: (result) => result.status === RecordStatus.Created,
  skipped: (result) => result.status === RecordStatus.Skipped,
  failed: (result) => result.status === RecordStatus.Failed,
  differing: (result) => (result.differences?.length ?? 0) > 0,
  dropped: (result) => result.trace?.subscription?.via === "dropped",
};

/** An import has up to 500 results. */
const rowsPerPage = 50;

/**
 * The stored results of the import, in input order. They are filtered in the browser, because all of them are loaded.
 */
export function ImportResults({ run }: { run: RunDetail }) {
  const { params, set } = useQueryState();
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const show = readResultFilter(params.get("show"));
  const reason = Number(params.get("reason")) || null;

  const shown = useMemo(
    () =>
      run.results.filter(
        (result) =>
          resultFilters[show](result) &&
          (reason === null || result.reasonCode === reason) &&
          (wanted === "" || matchesText(result, wanted)),
      ),
    [run.results, show, reason, wanted],
  );

  const pages = Math.max(1, Math.ceil(shown.length / rowsPerPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(params.get("page"))) || 1));
  const firstShown = (page - 1) * rowsPerPage;
  function openPage(wanted: number) {
    set({ page: wanted === 1 ? null : wanted }, { push: true });
    document.getElementById(resultsId)?.scrollIntoView({ block: "start" });
  }

  const choices = [
    { value: "all", label: texts.results.all },
    { value: "created", label: texts.outcomes.created },
    { value: "skipped", label: texts.outcomes.skipped },
    { value: "failed", label: texts.outcomes.failed },
    ...(run.differingCount > 0 ? [{ value: "differing", label: texts.results.differing }] : []),
    ...(run.droppedSubscriptionCount > 0 ? [{ value: "dropped", label: texts.results.dropped }] : []),
  ];

  return (
    <Panel
      id={resultsId}
      title={texts.results.title}
      description={texts.results.count(shown.length, run.results.length)}
      flush
    >
      <div className={styles.filters}>
        <SegmentedControl
          aria-label={texts.list.outcome}
          size="xs"
          data={choices}
          value={show}
          onChange={(value) => set({ show: value === "all" ? null : value, reason: null })}
          className={styles.segments}
        />
        {reason !== null ? (
          <Pill size="md" withRemoveButton={false} className={styles.reasonFilter}>
            {reasonName(reason)}
            <CloseButton
              size={18}
              onClick={() => set({ reason: null })}
              aria-label={texts.results.showEveryReason}
            />
          </Pill>
        ) : null}
        <TextInput
          className={styles.text}
          size="xs"
          aria-label={texts.results.filter}
          placeholder={texts.results.filterHint}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            if (page > 1) set({});
          }}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title={texts.results.noMatch}>{texts.results.noMatchHint}</Empty>
      ) : (
        <>
          <ResultRows results={shown.slice(firstShown, firstShown + rowsPerPage)} resource={run.resource} />
          <ResultPaging page={page} pages={pages} open={(wanted) => openPage(wanted)} />
        </>
      )}
    </Panel>
  );
}

function readResultFilter(value: string | null): ResultFilter {
  return value !== null && value in resultFilters ? (value as ResultFilter) : "all";
}

function matchesText(result: RunResult, wanted: string): boolean {
  return (
    result.reference.toLowerCase().includes(wanted) ||
    (result.errorDetail?.toLowerCase().includes(wanted) ?? false) ||
    result.uuid === wanted
  );
}

const resultsId = "results";

/** Filters the results table and scrolls to it. */
export function ResultFilterLink({
  show,
  reason,
  children,
}: {
  show: string;
  reason?: number;
  children: ReactNode;
}) {
  const { set } = useQueryState();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() => {
        set({ show, reason }, { push: true });
        document.getElementById(resultsId)?.scrollIntoView({ block: "start" });
      }}
    >
      {children}
    </Anchor>
  );
}

function ResultPaging({ page, pages, open }: { page: number; pages: number; open: (page: number) => void }) {
  if (pages === 1) return null;
  return (
    <PagingBar>
      <PagingButton label={texts.results.previous} disabled={page === 1} onClick={() => open(page - 1)} />
      <span>{texts.results.pageOf(page, pages)}</span>
      <PagingButton label={texts.results.next} disabled={page === pages} onClick={() => open(page + 1)} />
    </PagingBar>
  );
}

function ResultRows({ results, resource }: { results: readonly RunResult[]; resource: ImportResource }) {
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
    <section className={styles.scroll} aria-label={texts.results.title} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.position}>
              #
            </th>
            <th scope="col">{texts.list.reference}</th>
            <th scope="col">{texts.list.outcome}</th>
            <th scope="col" className={styles.detail}>
              {texts.results.detail}
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
  [RecordStatus.Created]: { label: texts.outcomes.created, style: styles.created },
  [RecordStatus.Skipped]: { label: texts.outcomes.skipped, style: styles.skipped },
  [RecordStatus.Failed]: { label: texts.outcomes.failed, style: styles.failed },
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
            result.reference || <span className={styles.none}>{texts.results.noReference}</span>
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
              {texts.results.sentAs(field)}{" "}
              <span className={styles.value}>{value === "" ? texts.results.emptyValue : value}</span>
              {isCut ? texts.results.cut : ""}
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
    return texts.results.differences(result.differences.length);
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
          <th scope="col">{texts.results.field}</th>
          <th scope="col">{texts.results.stored}</th>
          <th scope="col">{texts.results.sent}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <tr key={difference.field}>
            <th scope="row" className={styles.field}>
              {difference.field}
            </th>
            <td className={styles.storedValue}>{difference.stored ?? <em>{texts.results.notGiven}</em>}</td>
            <td className={styles.sentValue}>{difference.sent ?? <em>{texts.results.notGiven}</em>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
