import { useCallback, useMemo } from "react";
import { navigate, useSearch } from "wouter/use-browser-location";

/**
 * The filters of a page live in its address, so that a link, a reload and the back button show the same. Changing a
 * filter starts at the first page again. The router's own hook decodes the address before it is taken apart, so a
 * reference with a % in it would come out as another one; this reads it as the browser has it.
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
