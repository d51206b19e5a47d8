import { canonicalDecimal, isObject, parseTimestamp } from "@gatehouse-parking/contract";
import type { Column } from "../../entities/columns.js";
import type { Candidate } from "../read/submitted.js";
import { canonicalJson } from "./canonical-json.js";
import type { Value } from "./compare.js";

const nothing: Value = { shown: null, compared: null };
const plain = (text: string): Value => ({ shown: text, compared: text });
const number = (text: string): Value => ({ shown: text, compared: canonicalDecimal(text) });
const json = (text: string): Value => ({ shown: text, compared: canonicalJson(text) });

export function sentValue(column: Column, { record, source }: Candidate): Value {
  const given = record[column.field] ?? column.default ?? null;
  if (given === null) return nothing;
  if (column.kind === "amount" && typeof given === "number")
    return number(source.numberSpelling(column.path) ?? String(given));
  if (column.kind === "json" && isObject(given)) return json(source.textAt(column.path) as string);
  if (typeof given !== "string") return plain(JSON.stringify(given));
  const moment = column.kind === "timestamp" ? parseTimestamp(given, true) : undefined;
  return plain(moment === undefined ? given : new Date(moment).toISOString());
}

export function storedValue(column: Column, value: unknown): Value {
  if (value === null || value === undefined) return nothing;
  if (column.kind === "timestamp") return plain((value as Date).toISOString());
  if (column.kind === "amount") return number(value as string);
  if (column.kind === "json") return json(value as string);
  return plain(String(value));
}
