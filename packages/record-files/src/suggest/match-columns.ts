import type { ImportResourceName } from "@gatehouse-parking/contract";
import { fieldTrees, knownPaths } from "../record/fields.js";
import type { Source } from "./sources.js";
import { fieldRules } from "./vocabulary/field-rules.js";
import type { FieldRule } from "./vocabulary/fields/rule.js";
import { plainHeader } from "./vocabulary/header-words.js";

/** A field that a source seems to be, by its name and its values. */
export interface Match {
  source: Source;
  path: string;
  /** Whether the header has words that no list has. */
  isUnsure: boolean;
}

export interface Matches {
  matches: Match[];
  /** Sources that are equally likely to be a field. */
  contested: { path: string; sources: Source[] }[];
  /** Sources whose header could mean a free field, though something else about them does not fit. */
  near: { path: string; source: Source }[];
}

interface Candidate {
  source: Source;
  path: string;
  /** 0: the contract's own name; 1: a particular header; 2: one with unknown words; 3: a general one. */
  rank: number;
}

/** Gives each field the source with the most particular name. A source goes to one field. */
export function matchColumns(resource: ImportResourceName, sources: readonly Source[]): Matches {
  const candidates = sources.flatMap((source) => candidatesOf(resource, source));
  const taken = new Set<string>();
  const used = new Set<Source>();
  const matches: Match[] = [];
  const contested: Matches["contested"] = [];
  for (const rank of [0, 1, 2, 3])
    for (const { path } of candidates.filter((candidate) => candidate.rank === rank)) {
      if (taken.has(path)) continue;
      const rivals = candidates.filter(
        (candidate) => candidate.path === path && candidate.rank === rank && !used.has(candidate.source),
      );
      const [first, second] = rivals;
      if (!first) continue;
      taken.add(path);
      for (const { source } of rivals) used.add(source);
      if (second) contested.push({ path, sources: rivals.map(({ source }) => source) });
      else matches.push({ source: first.source, path, isUnsure: rank === 2 });
    }
  const near = sources
    .filter((source) => !used.has(source) && source.column.profile.filled > 0)
    .flatMap((source) => {
      const rules = (fieldRules[resource] ?? []).filter(
        (rule) => !taken.has(rule.path) && isNear(rule, source),
      );
      return [...new Set(rules.map(({ path }) => path))].map((path) => ({ path, source }));
    });
  return { matches, contested, near };
}

function isNear({ needs }: FieldRule, { concepts }: Source): boolean {
  return needs.every((group) => group.some((concept) => concepts.has(concept)));
}

function candidatesOf(resource: ImportResourceName, source: Source): Candidate[] {
  const { column, concepts, unknown } = source;
  if (column.profile.filled === 0) return [];
  const plain = plainHeader(column.name);
  const own = knownPaths(fieldTrees[resource]).find(
    (path) => plainHeader(path) === plain && path !== "contact",
  );
  if (own !== undefined && !source.clock) return [{ source, path: own, rank: 0 }];
  const found = (fieldRules[resource] ?? [])
    .filter((rule) => fits(rule, source))
    .map((rule) => ({ source, path: rule.path, rank: rankOf(rule, unknown) }))
    .filter(({ rank }) => rank !== undefined) as Candidate[];
  return concepts.size === 0
    ? []
    : found.filter(({ path }, index) => found.findIndex((one) => one.path === path) === index);
}

function rankOf({ isGeneral }: FieldRule, unknown: readonly string[]): number | undefined {
  if (isGeneral) return unknown.length > 0 ? undefined : 3;
  return unknown.length > 0 ? 2 : 1;
}

function fits(
  { needs, may = [], looks, never = [] }: FieldRule,
  { column, clock, concepts, words }: Source,
): boolean {
  const allowed = new Set([...needs.flat(), ...may]);
  return (
    needs.every((group) => group.some((concept) => concepts.has(concept))) &&
    words.every((meanings) => meanings.some((concept) => allowed.has(concept))) &&
    (looks === undefined || looks.some((look) => column.looks.has(look))) &&
    (clock !== undefined || !never.some((look) => column.looks.has(look))) &&
    (clock === undefined || looks?.includes("clock") === true)
  );
}
