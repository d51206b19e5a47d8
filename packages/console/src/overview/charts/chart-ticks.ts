const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Axis labels have little room: 150000 is 150K. */
export const tickFormatter = (value: number) => compact.format(value);
