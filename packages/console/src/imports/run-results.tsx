import { CloseButton, Pill, SegmentedControl, TextInput } from "@mantine/core";
import { IconSearch } from "../ui/icons.js";
import { reasonName, RecordStatus } from "@gatehouse-parking/contract";
import type { RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import { useDeferredValue, useMemo, useState } from "react";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import { ResultPaging } from "./result-paging.js";
import { ResultRows } from "./result-rows.js";
import { resultsId } from "./show-results.js";
import styles from "./run-results.module.css";

type Show = "all" | "created" | "skipped" | "failed" | "differing" | "dropped";

const tests: Record<Show, (result: RunResult) => boolean> = {
  all: () => true,
  created: (result) => result.status === RecordStatus.Created,
  skipped: (result) => result.status === RecordStatus.Skipped,
  failed: (result) => result.status === RecordStatus.Failed,
  differing: (result) => (result.differences?.length ?? 0) > 0,
  dropped: (result) => result.trace?.subscription?.via === "dropped",
};

/** A run has up to 500 results. */
const rowsPerPage = 50;

/** Every outcome the run kept, in input order, page by page; filtered in the browser, where all of them are already. */
export function RunResults({ run }: { run: RunDetail }) {
  const { params, set } = useQueryState();
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const show = readShow(params.get("show"));
  const reason = Number(params.get("reason")) || null;

  const shown = useMemo(
    () =>
      run.results.filter(
        (result) =>
          tests[show](result) &&
          (reason === null || result.reasonCode === reason) &&
          (wanted === "" || matches(result, wanted)),
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
          <Pill size="md" withRemoveButton={false} className={styles.reason}>
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

function readShow(value: string | null): Show {
  return value !== null && value in tests ? (value as Show) : "all";
}

function matches(result: RunResult, wanted: string): boolean {
  return (
    result.reference.toLowerCase().includes(wanted) ||
    (result.errorDetail?.toLowerCase().includes(wanted) ?? false) ||
    result.uuid === wanted
  );
}
