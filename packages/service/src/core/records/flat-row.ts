import type { FieldValue, RecordKind, RecordRow } from "@gatehouse-parking/contract/console";
import { shownFields } from "./page-kinds.js";

/** A record as one line of a file: its identifiers, and its fields under their own names. */
export function toFlatRow({
  uuid,
  reference,
  title,
  createdAt,
  fields,
}: RecordRow): Record<string, FieldValue> {
  return { ...fields, uuid, reference, title, createdAt };
}

export function flatFieldNames(kind: RecordKind): string[] {
  return ["uuid", "reference", "title", "createdAt", ...shownFields(kind).map(([name]) => name)];
}
