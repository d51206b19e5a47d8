import { useSyncExternalStore } from "react";
import { navigate } from "wouter/use-browser-location";
import { useSession } from "../session/session.js";
import { useQueryState } from "../ui/query-state.js";
import { directionOf, type Column } from "../ui/table.js";

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
  function sorted<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
    const column = columns.find((candidate) => directionOf(candidate, value) !== undefined);
    const read = column?.value ?? column?.time;
    if (!column || !read) return rows;
    const direction = directionOf(column, value) === "descending" ? -1 : 1;
    return rows.toSorted((one, other) => compareValues(read(one) ?? null, read(other) ?? null, direction));
  }
  return { value, change: (next: string) => set({ sort: next === usual ? null : next }), sorted };
}

type SortValue = string | number | boolean | null;

/** Deck 2 comes before Deck 10. Case does not count. */
const natural = new Intl.Collator("en", { numeric: true });

/** Missing values come last in both directions. */
function compareValues(one: SortValue, other: SortValue, direction: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === "string" && typeof other === "string") return direction * natural.compare(one, other);
  return direction * (Number(one) - Number(other));
}

export function useClearFilters() {
  const { params } = useQueryState();
  return () => {
    const kept = [...params].filter(([name]) => name === "sort" || name === "columns");
    const text = new URLSearchParams(kept).toString();
    navigate(window.location.pathname + (text && `?${text}`));
  };
}

/** The part of the address that a saved view keeps: everything but the page. */
export function viewQuery(params: URLSearchParams, chosen: readonly string[] | null): string {
  const kept = new URLSearchParams(params);
  for (const name of ["before", "after", "page", "columns", "dialog"]) kept.delete(name);
  if (chosen) kept.set("columns", chosen.join(","));
  kept.sort();
  return kept.toString();
}
