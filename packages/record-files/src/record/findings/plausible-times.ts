import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { FindingFacts } from "../../refusals.js";
import { fieldAt, fieldTrees, knownPaths } from "../fields.js";
import type { RecordTree } from "../record-builder.js";

const yearMs = 365.25 * 24 * 60 * 60 * 1000;
/** Earlier times are usually a year with two digits, or a default of the exporting system. */
const firstYear = 1990;
const maxYearsAhead = 2;
const longStayMs = yearMs;

/** Fields that begin and end a stay. */
const stays = [
  ["sessionStart", "sessionEnd"],
  ["scheduledArrival", "scheduledExit"],
] as const;

interface JudgedTime {
  fact: FindingFacts;
  value: string;
}

/** Finds times that are valid but hardly true. */
export class PlausibleTimes {
  readonly #latest: string;
  readonly #paths = new Map<ImportResourceName, readonly TimePath[]>();

  constructor(nowMs: number) {
    this.#latest = new Date(nowMs + maxYearsAhead * yearMs).toISOString();
  }

  judge(resource: ImportResourceName, draft: RecordTree): JudgedTime[] {
    const found: JudgedTime[] = [];
    for (const { path, levels, isOpenEnded } of this.#pathsOf(resource)) {
      const value = textAt(draft, levels);
      if (value === undefined) continue;
      if (Number(value.slice(0, 4)) < firstYear)
        found.push({ fact: { code: "oldTime", data: { path } }, value });
      // A permit may be valid until the year 2099.
      else if (!isOpenEnded && value > this.#latest)
        found.push({ fact: { code: "futureTime", data: { path } }, value });
    }
    for (const [start, end] of stays) {
      const [from, to] = [textAt(draft, [start]), textAt(draft, [end])];
      if (from === undefined || to === undefined) continue;
      const ms = Date.parse(to) - Date.parse(from);
      const data = { start, end };
      const value = `${from} - ${to}`;
      if (ms < 0) found.push({ fact: { code: "exitBeforeEntry", data }, value });
      else if (ms > longStayMs) found.push({ fact: { code: "longStay", data }, value });
    }
    return found;
  }

  #pathsOf(resource: ImportResourceName): readonly TimePath[] {
    const known = this.#paths.get(resource);
    if (known) return known;
    const paths = knownPaths(fieldTrees[resource]).flatMap((path): TimePath[] => {
      const field = fieldAt(fieldTrees[resource], path);
      return field?.kind === "time"
        ? [{ path, levels: path.split("."), isOpenEnded: field.takesDates === true }]
        : [];
    });
    this.#paths.set(resource, paths);
    return paths;
  }
}

interface TimePath {
  path: string;
  levels: readonly string[];
  isOpenEnded: boolean;
}

function textAt(draft: RecordTree, [name = "", ...rest]: readonly string[]): string | undefined {
  const held = draft.get(name);
  if (rest.length > 0) return held instanceof Map ? textAt(held, rest) : undefined;
  return typeof held === "string" && held.startsWith('"') ? held.slice(1, -1) : undefined;
}
