import type { RunDetail } from "@gatehouse-parking/contract/console";
import { Counters } from "../ui/counters.js";
import { OutcomeBar } from "./outcome-bar.js";

export function RunCounters({ run }: { run: RunDetail }) {
  return (
    <Counters
      items={[
        { label: "Submitted", value: run.totalSubmitted },
        { label: "Created", value: run.successCount, color: "created" },
        { label: "Skipped", value: run.skippedCount, color: "skipped" },
        { label: "Failed", value: run.failedCount, color: "failed" },
        { label: "Duration", value: `${run.durationMs.toLocaleString("en")} ms` },
      ]}
      footer={<OutcomeBar run={run} />}
    />
  );
}
