const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const ranges = [
  { value: "day", label: "24 hours", lengthMs: dayMs, bucket: "hour" },
  { value: "week", label: "7 days", lengthMs: 7 * dayMs, bucket: "day" },
  { value: "month", label: "30 days", lengthMs: 30 * dayMs, bucket: "day" },
  { value: "quarter", label: "90 days", lengthMs: 90 * dayMs, bucket: "day" },
] as const;
export type RangeName = (typeof ranges)[number]["value"];

export function readRange(text: string | null): RangeName {
  return ranges.find((range) => range.value === text)?.value ?? "month";
}

/** Ends with the current bucket, and stays the same within it, so that answers can be kept. */
export function rangeQuery(name: RangeName) {
  const range = ranges.find((candidate) => candidate.value === name) ?? ranges[0];
  const stepMs = range.bucket === "hour" ? hourMs : dayMs;
  const end = Math.ceil(Date.now() / stepMs) * stepMs;
  return {
    from: new Date(end - range.lengthMs).toISOString(),
    to: new Date(end).toISOString(),
    bucket: range.bucket,
  };
}
