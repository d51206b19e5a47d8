import { useCallback } from "react";
import { useSearchParams } from "wouter";

/**
 * The filters of a page live in its address, so that a link, a reload and the back button show the same. Changing a
 * filter starts at the first page again.
 */
export function useQueryState() {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (changes: Record<string, string | number | null | undefined>, options: { push?: boolean } = {}) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete("before");
          next.delete("page");
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === undefined || value === "") next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        { replace: !options.push },
      );
    },
    [setParams],
  );
  return { params, set };
}
