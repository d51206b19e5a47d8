import type { FieldValue as Value, RecordKind } from "@gatehouse-parking/contract/console";
import { Absent } from "../ui/facts.js";
import { LocalTime, relativeTime, useNow } from "../ui/time.js";
import { enumName, words } from "./kinds.js";

/** The zone of a record that happened at a location, by the clock there; undefined: it did not. */
export function zoneOf(fields: Record<string, Value>): string | undefined {
  const zone = fields["timeZone"];
  return typeof zone === "string" ? zone : undefined;
}

/** Fields that hold moments. Others are shown as sent, even if their text looks like a time. */
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
  /** Enumerations together with the number that travels on the wire. */
  withNumber?: boolean;
  /** The zone of the place where it happened: moments are shown by the clock there. */
  timeZone?: string | undefined;
}) {
  const now = useNow();
  if (value === null || value === undefined || value === "") return <Absent />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const name = enumName(kind, field, value);
  if (name) return withNumber ? `${words(name)} (${value})` : words(name);
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
