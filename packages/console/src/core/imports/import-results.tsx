import { Anchor, Button, CloseButton, Group, Pill, SegmentedControl, TextInput } from "@mantine/core";
import { reasonName, RecordStatus } from "@gatehouse-parking/contract";
import type { RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { IconSearch } from "../ui/icons.js";
import { Panel } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import { ResultRows } from "./result-rows.js";
import styles from "./results.module.css";

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
 * The results that the import kept, in input order. They are filtered in the browser, because all of them are loaded.
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
    { value: "all", label: "All" },
    { value: "created", label: "Created" },
    { value: "skipped", label: "Skipped" },
    { value: "failed", label: "Failed" },
    ...(run.differingCount > 0 ? [{ value: "differing", label: "Differing" }] : []),
    ...(run.droppedSubscriptionCount > 0 ? [{ value: "dropped", label: "Dropped" }] : []),
  ];

  return (
    <Panel
      id={resultsId}
      title="Results"
      description={`${shown.length.toLocaleString("en")} of ${run.results.length.toLocaleString("en")} kept results, in the order they were sent.`}
      flush
    >
      <div className={styles.filters}>
        <SegmentedControl
          aria-label="Outcome"
          size="xs"
          data={choices}
          value={show}
          onChange={(value) => set({ show: value === "all" ? null : value, reason: null })}
          className={styles.segments}
        />
        {reason !== null ? (
          <Pill size="md" withRemoveButton={false} className={styles.reasonFilter}>
            {reasonName(reason)}
            <CloseButton size={18} onClick={() => set({ reason: null })} aria-label="Show every reason" />
          </Pill>
        ) : null}
        <TextInput
          className={styles.text}
          size="xs"
          aria-label="Filter results"
          placeholder="Filter by reference or detail"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            if (page > 1) set({});
          }}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title="No results match">Choose another outcome or clear the text.</Empty>
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
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={page === 1} onClick={() => open(page - 1)}>
        Previous
      </Button>
      <span>
        Page {page} of {pages}
      </span>
      <Button variant="default" size="xs" disabled={page === pages} onClick={() => open(page + 1)}>
        Next
      </Button>
    </Group>
  );
}
