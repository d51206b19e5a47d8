import type { FieldValue as Value, RecordKind } from "@gatehouse/service/console/api";
import { Absent } from "../ui/facts.js";
import { Time } from "../ui/time.js";
import { enumName, words } from "./kinds.js";

const timestampShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
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
}: {
  kind: RecordKind;
  field: string;
  value: Value | undefined;
}) {
  if (value === null || value === undefined || value === "") return <Absent />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const name = enumName(kind, field, value);
  if (name) return `${words(name)} (${value})`;
  if (momentFields.has(field) && timestampShape.test(String(value))) {
    return (
      <>
        {String(value)}{" "}
        <span style={{ color: "var(--mantine-color-dimmed)" }}>
          (<Time value={String(value)} />)
        </span>
      </>
    );
  }
  return <span className={typeof value === "number" ? "numeric" : undefined}>{String(value)}</span>;
}
