import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { Remark } from "../refusals.js";
import { fieldTrees, knownPaths } from "../record/fields.js";
import { areClockTimes, type ColumnSample } from "./content.js";
import { fieldVocabulary, fullNames, plainHeader } from "./vocabulary.js";

/** A field that a column seems to be, by its name. */
export interface ColumnMatch {
  path: string;
  /** 0: the contract's own name; 1: a particular one; 2: a general one. */
  rank: number;
}

const fullNamePath = "contact";

export function isFullName({ path }: ColumnMatch): boolean {
  return path === fullNamePath;
}

/**
 * Maps columns to fields. If several columns match the same field, the one with the most specific name wins; if the names
 * are equally specific, the user has to choose.
 */
export function matchColumns(
  resource: ImportResourceName,
  columns: readonly ColumnSample[],
): { matches: Map<string, ColumnMatch>; contested: Remark[] } {
  const found = columns.flatMap((column) => {
    const match =
      column.values.length === 0 || areClockTimes(column.values) ? undefined : matchOf(column.name, resource);
    return match ? [{ name: column.name, match }] : [];
  });
  const matches = new Map<string, ColumnMatch>();
  const contested: Remark[] = [];
  for (const { path } of new Map(found.map(({ match }) => [match.path, match])).values()) {
    const rivals = found.filter(({ match }) => match.path === path);
    const best = Math.min(...rivals.map(({ match }) => match.rank));
    const [winner, other] = rivals.filter(({ match }) => match.rank === best);
    if (!winner) continue;
    if (other) contested.push({ code: "contested", data: { columns: [winner.name, other.name], path } });
    else matches.set(winner.name, winner.match);
  }
  return { matches, contested };
}

function matchOf(name: string, resource: ImportResourceName): ColumnMatch | undefined {
  const plain = plainHeader(name);
  const own = knownPaths(fieldTrees[resource]).find((path) => plainHeader(path) === plain);
  if (own !== undefined && own !== fullNamePath) return { path: own, rank: 0 };
  for (const [path, lists] of Object.entries(fieldVocabulary[resource] ?? {})) {
    const rank = lists.findIndex((list) => list?.split(" ").includes(plain));
    if (rank !== -1) return { path, rank: rank + 1 };
  }
  const isName = resource === "transactions" && fullNames.split(" ").includes(plain);
  return isName ? { path: fullNamePath, rank: 2 } : undefined;
}
