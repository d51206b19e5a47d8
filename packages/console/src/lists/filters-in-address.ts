import { navigate } from "wouter/use-browser-location";
import { useQueryState } from "../ui/query-state.js";

/** Where in the list one is, how it is sorted and what is shown of it: none of it leaves a row out. */
const notFilters = new Set(["before", "after", "page", "sort", "columns"]);

export function useFilters() {
  const { params } = useQueryState();
  return {
    isFiltered: [...params.keys()].some((name) => !notFilters.has(name)),
    clear() {
      const kept = new URLSearchParams(
        [...params].filter(([name]) => name === "sort" || name === "columns"),
      ).toString();
      navigate(window.location.pathname + (kept && `?${kept}`));
    },
  };
}

/** What of the address is worth keeping in a view: everything but where in the list one is. */
export function viewQuery(params: URLSearchParams, chosen: readonly string[] | null): string {
  const kept = new URLSearchParams(params);
  for (const name of ["before", "after", "page", "columns"]) kept.delete(name);
  if (chosen) kept.set("columns", chosen.join(","));
  kept.sort();
  return kept.toString();
}
