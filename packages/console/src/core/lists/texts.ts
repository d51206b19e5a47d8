export const texts = {
  from: "From",
  to: "To",
  utc: (label: string) => `${label} (UTC)`,
  dates: "Dates",
  days: (first: string | null, last: string | null) => {
    if (first && last) return first === last ? first : `${first} to ${last}`;
    if (first) return `from ${first}`;
    return last ? `to ${last}` : null;
  },
  /** By the number of days. */
  lastDays: { 1: "Today", 7: "Last 7 days", 30: "Last 30 days" },
  filter: "Filter",
  noChoice: "No match",
  clearAll: "Clear all",
  clearFilter: (label: string) => `Clear ${label}`,
  noMatch: (list: string) => `No ${list.charAt(0).toLowerCase()}${list.slice(1)} match these filters`,
  clearFilters: "Clear filters",
  columns: "Columns",
  defaultColumns: "Default columns",
  range: (isFirst: boolean, rows: number, { count, isMore }: { count: number; isMore: boolean }) => {
    const all = isMore ? `at least ${count.toLocaleString("en")}` : count.toLocaleString("en");
    return isFirst ? `1–${rows} of ${all}` : `${rows} of ${all}`;
  },
  newestFirst: { first: "Newest", back: "Newer", forward: "Older" },
  oldestFirst: { first: "Oldest", back: "Older", forward: "Newer" },
  showNew: (count: number) => `Show ${count} new`,
  page: (control: string) => `${control} page`,
};
