import { useCallback, useMemo } from "react";
import { navigate, useSearch } from "wouter/use-browser-location";

/**
 * Keeps filters in the address, for links, reloads and the back button. Changing one resets the paging. The router's
 * own hook decodes the address too early: a reference with a % would change.
 */
export function useQueryState() {
  const search = useSearch();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set = useCallback(
    (changes: Record<string, string | number | null | undefined>, options: { push?: boolean } = {}) => {
      const next = new URLSearchParams(window.location.search);
      next.delete("before");
      next.delete("after");
      next.delete("page");
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === "") next.delete(name);
        else next.set(name, String(value));
      }
      const text = next.toString();
      navigate(window.location.pathname + (text && `?${text}`), { replace: !options.push });
    },
    [],
  );
  return { params, set };
}
