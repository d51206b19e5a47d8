const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Axis labels have little room: 150000 is 150K. */
export const tickFormatter = (value: number) => compact.format(value);

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** 2026-10-19 is 19 Oct; hours and months stay as they are. */
export const dayTick = (label: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(label) ? day.format(new Date(label)) : label;
