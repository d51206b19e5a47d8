import { SingleBar } from "cli-progress";
import type { Tally } from "./tally.js";

/** Shows the progress: a bar on a terminal, otherwise a line every few seconds. */
export interface Progress {
  show(state: ProgressState): void;
  /** A message that gets a separate line. */
  note(message: string): void;
  /** What the push is waiting for. */
  wait(message: string): void;
  end(): void;
}

export interface ProgressState {
  tally: Tally;
  /** Undefined if the records cannot be counted in advance. */
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
    // Nothing else may write while the bar is drawn, so notes replace the statistics.
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

const windowMs = 60_000;

/** Input of the estimate of the remaining time. */
export interface Pace {
  requestsLeft: number;
  /** Average duration of a request, without waiting for the rate limit. */
  requestMs: number;
  /** Requests per window; undefined without a limit. */
  limit: number | undefined;
  /** When the latest requests were sent, oldest first, at most `limit` of them. */
  sentAtMs: readonly number[];
  nowMs: number;
}

/**
 * Estimates the remaining time. The average rate would mislead: the first window's requests go out in a
 * burst, then the limit governs. Each request can be sent one window after the request `limit` places before
 * it. The last request is therefore sent a whole number of windows after one that was already sent or can be
 * sent now.
 */
export function timeLeftMs({ requestsLeft, requestMs, limit, sentAtMs, nowMs }: Pace): number {
  const withoutLimit = requestsLeft * requestMs;
  if (!limit) return withoutLimit;
  let windows = Math.ceil(requestsLeft / limit);
  let place = sentAtMs.length + requestsLeft - windows * limit;
  if (place < 1) {
    windows -= 1;
    place += limit;
  }
  const sent = sentAtMs[place - 1] ?? nowMs + (place - sentAtMs.length) * requestMs;
  return Math.max(withoutLimit, sent + windows * windowMs - nowMs + requestMs);
}

/** Measures the speed of a push. */
export interface PaceMeter {
  /** Time spent waiting for the rate limit; call before the request is sent. */
  waited(durationMs: number): void;
  /** Call after each response, with the number of its records. */
  answered(records: number, limit: number | undefined): void;
  recordsPerSecond(): number;
  /** Undefined before the first response. */
  timeLeftMs(recordsLeft: number): number | undefined;
}

export function startPaceMeter(now: () => number = () => performance.now()): PaceMeter {
  // The clock starts with the first request: the time spent skipping processed records says nothing about the
  // rest.
  let startedMs: number | undefined;
  let waitedMs = 0;
  let records = 0;
  let requests = 0;
  let limit: number | undefined;
  const sentAtMs: number[] = [];
  return {
    waited(durationMs) {
      startedMs ??= now() - durationMs;
      waitedMs += durationMs;
    },
    answered(answeredRecords, currentLimit) {
      records += answeredRecords;
      requests += 1;
      limit = currentLimit;
      sentAtMs.push(now());
      while (sentAtMs.length > (limit ?? 0)) sentAtMs.shift();
    },
    recordsPerSecond: () => (records * 1000) / Math.max(1, now() - (startedMs ?? now())),
    timeLeftMs(recordsLeft) {
      if (requests === 0 || startedMs === undefined) return undefined;
      const nowMs = now();
      return timeLeftMs({
        requestsLeft: Math.ceil((recordsLeft * requests) / records),
        requestMs: (nowMs - startedMs - waitedMs) / requests,
        limit,
        sentAtMs,
        nowMs,
      });
    },
  };
}

export function durationText(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
