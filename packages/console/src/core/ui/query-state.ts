import { useMemo } from "react";
import { navigate, useSearch } from "wouter/use-browser-location";

type Changes = Record<string, string | number | null | undefined>;

/**
 * Keeps filters in the address, for links, reloads and the back button. The router's own hook decodes the address too
 * early: a reference with a % would change.
 */
export function useQueryState() {
  const search = useSearch();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  return { params, set: setFilters };
}

/** Changing a filter resets the paging. */
function setFilters(changes: Changes, options: { push?: boolean } = {}): void {
  setParameters({ before: null, after: null, page: null, ...changes }, options);
}

function setParameters(changes: Changes, { push = false } = {}): void {
  const next = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  const text = next.toString();
  navigate(window.location.pathname + (text && `?${text}`), { replace: !push });
}

/** A dialog that a link can open, by `?dialog=` and its name. */
export function useLinkedDialog(name: string) {
  const { params } = useQueryState();
  return {
    opened: params.get("dialog") === name,
    open: () => setParameters({ dialog: name }),
    close: () => setParameters({ dialog: null }),
  };
}
