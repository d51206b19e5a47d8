export const texts = {
  from: "From",
  to: "To",
  utc: (label: string) => `${label} (UTC)`,
  clearFilter: (label: string) => `Clear ${label}`,
  noMatch: (list: string) => `No ${list.charAt(0).toLowerCase()}${list.slice(1)} match these filters`,
  clearFilters: "Clear filters",
  columns: "Columns",
  defaultColumns: "Default columns",
  newestFirst: { first: "Newest", back: "Newer", forward: "Older" },
  oldestFirst: { first: "Oldest", back: "Older", forward: "Newer" },
  showNew: (count: number) => `Show ${count} new`,
  page: (control: string) => `${control} page`,
};
