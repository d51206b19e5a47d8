import type { FieldValue as Value, RecordKind } from "@gatehouse-parking/contract/console";
import { Absent } from "../ui/facts.js";
import { relativeTime, useNow } from "../ui/time.js";
import { enumName, words } from "./kinds.js";

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
}: {
  kind: RecordKind;
  field: string;
  value: Value | undefined;
  /** Enumerations together with the number that travels on the wire. */
  withNumber?: boolean;
}) {
  const now = useNow();
  if (value === null || value === undefined || value === "") return <Absent />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const name = enumName(kind, field, value);
  if (name) return withNumber ? `${words(name)} (${value})` : words(name);
  const text = String(value);
  if (momentFields.has(field)) {
    return (
      <time dateTime={text} title={relativeTime(text, now)}>
        {text}
      </time>
    );
  }
  return <span className={typeof value === "number" ? "numeric" : undefined}>{text}</span>;
}
