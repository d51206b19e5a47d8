import {
  compileRecordCheck,
  entities,
  importResources,
  isObject,
  maxMetadataDepth,
  type ImportResourceName,
  type Problem,
  type RecordCheck,
} from "@gatehouse-parking/contract";
import { readRecord, scanValue } from "@gatehouse-parking/json-text";

const nested = Object.fromEntries(entities.map(({ schema }) => [schema.$id, schema]));
const checks = Object.fromEntries(
  Object.entries(importResources).map(([name, { entity }]) => [
    name,
    compileRecordCheck(entity.schema, { uuidFormat: "looked up", nested }),
  ]),
) as Readonly<Record<ImportResourceName, RecordCheck>>;

/**
 * Runs the service's own record check. Only the service knows whether the record exists and whether its
 * references resolve.
 */
export function checkRecord(
  resource: ImportResourceName,
  text: string,
): { reference: string; problems: readonly Problem[] } {
  // The text shows how numbers are spelled and how deep metadata is nested.
  const record = text.trim();
  const source = readRecord(record, scanValue(record, 0), maxMetadataDepth);
  const { value } = source;
  if (!isObject(value))
    return {
      reference: "",
      problems: [{ path: "", reasonCode: 5, message: "The record must be an object" }],
    };
  const key = value[importResources[resource].keyField];
  return { reference: typeof key === "string" ? key : "", problems: checks[resource](value, source) };
}

/** The message of a problem, without the path that it begins with. */
export function messageAfterPath({ path, message }: Pick<Problem, "path" | "message">): string {
  return message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
}
