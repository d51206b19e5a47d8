import { SingleBar } from "cli-progress";
import { durationText } from "./estimate.js";
import type { Tally } from "./summary.js";

/** Shows how a push goes: a bar on a terminal, a line every few seconds otherwise. */
export interface Progress {
  show(state: ProgressState): void;
  /** Something worth a line of its own. */
  note(message: string): void;
  /** What is waited for, until there is something to show again. */
  wait(message: string): void;
  end(): void;
}

export interface ProgressState {
  tally: Tally;
  /** Undefined if the input cannot be counted beforehand. */
  total: number | undefined;
  recordsPerSecond: number;
  timeLeftMs: number | undefined;
}

export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

const lineIntervalMs = 5_000;

export function showProgress(stream: ProgressStream, name: string, total: number | undefined): Progress {
  return stream.isTTY && total !== undefined ? barProgress(stream, name, total) : lineProgress(stream, name);
}

function lineProgress(stream: ProgressStream, name: string): Progress {
  let nextAtMs = performance.now() + lineIntervalMs;
  return {
    show(state) {
      if (performance.now() < nextAtMs) return;
      nextAtMs = performance.now() + lineIntervalMs;
      const of = state.total === undefined ? "" : ` of ${count(state.total)}`;
      stream.write(`${name}: ${count(state.tally.records)}${of} records, ${factsOf(state)}\n`);
    },
    note: (message) => void stream.write(`${name}: ${message}\n`),
    wait: (message) => void stream.write(`${name}: ${message}\n`),
    end() {},
  };
}

function barProgress(stream: ProgressStream, name: string, total: number): Progress {
  const bar = new SingleBar({
    stream: stream as NodeJS.WritableStream,
    format: `${name} {bar} {percentage}% of ${count(total)} | {facts}`,
    barsize: 24,
    barCompleteChar: "\u2588",
    barIncompleteChar: "\u2591",
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
    // Nothing else may write while the bar is drawn, so notes take the place of the facts.
    emptyOnZero: true,
  });
  bar.start(total, 0, { facts: "" });
  let facts = "";
  return {
    show(state) {
      facts = factsOf(state);
      bar.update(state.tally.records, { facts });
    },
    note: (message) => bar.update({ facts: message }),
    wait: (message) => bar.update({ facts: facts === "" ? message : `${facts} | ${message}` }),
    end: () => bar.stop(),
  };
}

function factsOf({ tally, recordsPerSecond, timeLeftMs }: ProgressState): string {
  const facts = [
    tally.created > 0 ? `${count(tally.created)} created` : "",
    tally.valid > 0 ? `${count(tally.valid)} valid` : "",
    tally.skipped > 0 ? `${count(tally.skipped)} skipped` : "",
    tally.failed > 0 ? `${count(tally.failed)} failed` : "",
    `${count(Math.round(recordsPerSecond))}/s`,
    timeLeftMs === undefined ? "" : `${durationText(timeLeftMs)} left`,
  ];
  return facts.filter((fact) => fact !== "").join(", ");
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}
