import type { FieldValue as Value, RecordKind } from "@gatehouse-parking/contract/console";
import { Absent } from "../ui/facts.js";
import { LocalTime, relativeTime, useNow } from "../ui/time.js";
import { enumName, toLabel } from "./record-kinds.js";

/** The time zone of the record's location, if it has one. */
export function zoneOf(fields: Record<string, Value>): string | undefined {
  const zone = fields["timeZone"];
  return typeof zone === "string" ? zone : undefined;
}

/** Fields with timestamps. Other fields are shown as sent, even if they look like a time. */
const momentFields = new Set([
  "transactionDate",
  "sessionStart",
  "sessionEnd",
  "scheduledArrival",
  "scheduledExit",
  "startDate",
  "endDate",
]);

export function FieldValue({
  kind,
  field,
  value,
  withNumber = false,
  timeZone,
}: {
  kind: RecordKind;
  field: string;
  value: Value | undefined;
  /** Also shows the number that the API uses for an enumeration value. */
  withNumber?: boolean;
  /** Timestamps are shown in this zone. */
  timeZone?: string | undefined;
}) {
  const now = useNow();
  if (value === null || value === undefined || value === "") return <Absent />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const name = enumName(kind, field, value);
  if (name) return withNumber ? `${toLabel(name)} (${value})` : toLabel(name);
  const text = String(value);
  if (momentFields.has(field)) {
    if (timeZone !== undefined) return <LocalTime value={text} timeZone={timeZone} />;
    return (
      <time dateTime={text} title={relativeTime(text, now)}>
        {text}
      </time>
    );
  }
  return <span className={typeof value === "number" ? "numeric" : undefined}>{text}</span>;
}

const dateAtEnd = /\d{4}-\d{2}-\d{2}$/;

/** Isolates a date at the end, so that a right-to-left name before it does not reverse it. */
export function RecordTitle({ title }: { title: string }) {
  const date = dateAtEnd.exec(title);
  if (!date) return title;
  return (
    <>
      {title.slice(0, date.index)}
      <bdi>{date[0]}</bdi>
    </>
  );
}
