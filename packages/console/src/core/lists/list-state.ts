import { useSyncExternalStore } from "react";
import { navigate } from "wouter/use-browser-location";
import { useSession } from "../session/session.js";
import { useQueryState } from "../ui/query-state.js";
import type { Column, TableSort } from "../ui/table.js";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // For changes in another tab.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

interface ColumnChoice {
  /** Headers of the chosen columns. Null: the default ones. */
  chosen: readonly string[] | null;
  choose: (headers: readonly string[] | null) => void;
}

/** The columns that a user has chosen for a list: from a saved view in the address, or from local storage. */
export function useColumnChoice(list: string): ColumnChoice {
  const { user } = useSession();
  const { params, set } = useQueryState();
  const key = `gatehouse-columns-${user.uuid}-${list}`;
  const kept = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const text = params.get("columns") ?? kept;
  return {
    chosen: text === null ? null : text.split(","),
    choose(headers) {
      if (headers === null) localStorage.removeItem(key);
      else localStorage.setItem(key, headers.join(","));
      for (const notify of listeners) notify();
      if (params.has("columns")) set({ columns: null });
    },
  };
}

/** Chosen columns are shown on every screen width. If none of them is known, the default columns are shown. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | null,
): readonly Column<Row>[] {
  const wanted = columns
    .filter(({ header }) => chosen?.includes(header))
    .map(({ from: _everywhere, ...column }) => column);
  return wanted.length > 0 ? wanted : columns.filter(({ optional }) => !optional);
}

/**
 * The order of a list, from the address. Columns with a `value` are sorted here, because their lists have only one
 * page.
 */
export function useSort(usual: string | undefined) {
  const { params, set } = useQueryState();
  const value = params.get("sort") ?? usual;
  const sort: TableSort = {
    value,
    change: (next) => set({ sort: next === usual ? null : next }),
  };
  function sorted<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
    const column = columns.find(
      ({ sort: own }) => value !== undefined && Object.values(own ?? {}).includes(value),
    );
    const read = column?.value;
    if (!read) return rows;
    const direction = column.sort?.down === value ? -1 : 1;
    return rows.toSorted((one, other) => compareValues(read(one), read(other), direction));
  }
  return { ...sort, sorted };
}

type SortValue = string | number | boolean | null;

/** Missing values come last in both directions. */
function compareValues(one: SortValue, other: SortValue, direction: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === "string" && typeof other === "string") return direction * one.localeCompare(other);
  return direction * (Number(one) - Number(other));
}

/** Parameters of the address that do not filter. */
const nonFilterNames = new Set(["before", "after", "page", "sort", "columns"]);

export function useFilters() {
  const { params } = useQueryState();
  return {
    isFiltered: [...params.keys()].some((name) => !nonFilterNames.has(name)),
    clear() {
      const kept = new URLSearchParams(
        [...params].filter(([name]) => name === "sort" || name === "columns"),
      ).toString();
      navigate(window.location.pathname + (kept && `?${kept}`));
    },
  };
}

/** The part of the address that a saved view keeps: everything but the page. */
export function viewQuery(params: URLSearchParams, chosen: readonly string[] | null): string {
  const kept = new URLSearchParams(params);
  for (const name of ["before", "after", "page", "columns"]) kept.delete(name);
  if (chosen) kept.set("columns", chosen.join(","));
  kept.sort();
  return kept.toString();
}

const dayMs = 86_400_000;

/** Reads `from` and `to` as UTC days, the last one inclusive. Invalid dates are ignored. */
export function readUtcDays(params: URLSearchParams): { from?: string; to?: string } {
  const from = Date.parse(params.get("from") ?? "");
  const to = Date.parse(params.get("to") ?? "");
  return {
    ...(Number.isNaN(from) ? {} : { from: new Date(from).toISOString() }),
    ...(Number.isNaN(to) ? {} : { to: new Date(to + dayMs).toISOString() }),
  };
}

/** Reads parameters that are passed on unchanged. */
export function readNamed<Name extends string>(
  params: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) given[name] = value;
  }
  return given;
}
