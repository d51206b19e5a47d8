import { useSyncExternalStore } from "react";
import { useSession } from "../session/session.js";
import { useQueryState } from "../ui/query-state.js";
import type { Column } from "../ui/table.js";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of the same browser.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export interface ColumnChoice {
  /** By their headers; null: the usual ones. */
  chosen: readonly string[] | null;
  choose: (headers: readonly string[] | null) => void;
}

/** The columns that somebody wants to see of a list: those of a saved view, or the ones kept in this browser for them. */
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

/** What is chosen is shown on every screen, however narrow; a choice of nothing that is known counts as none. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | null,
): readonly Column<Row>[] {
  const wanted = columns
    .filter(({ header }) => chosen?.includes(header))
    .map(({ from: _everywhere, ...column }) => column);
  return wanted.length > 0 ? wanted : columns.filter(({ optional }) => !optional);
}
