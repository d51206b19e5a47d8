import { CloseButton, Pill, SegmentedControl, TextInput } from "@mantine/core";
import { IconSearch } from "../ui/icons.js";
import { reasonName, RecordStatus } from "@gatehouse-parking/contract";
import type { RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import { useDeferredValue, useMemo, useState } from "react";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
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

/** Every outcome the run kept, in input order, filtered in the browser: all of them are here already. */
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
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title="No results match">Choose another outcome or clear the text.</Empty>
      ) : (
        <ResultRows results={shown} resource={run.resource} />
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
