import {
  compileRecordCheck,
  maxMetadataDepth,
  type FieldSchema,
  type RecordSource,
} from "@gatehouse-parking/contract";
import { domain, flag, jsonObject, moment, nullable, timeZone, uuid, type Domain } from "./domains.js";

interface ObjectSchema {
  properties: object;
  required?: readonly string[] | undefined;
}

/** The valid values of the column of a field: what the API accepts, except that timestamps are normalized. */
export function domainOfField(schema: ObjectSchema, field: string): Domain {
  const definition = (schema.properties as Record<string, FieldSchema & { default?: unknown }>)[field];
  if (definition === undefined) throw new Error(`The contract has no field ${field}`);
  const isRequired = schema.required?.includes(field) ?? false;
  const stored = columnDomain(definition, field, isRequired);
  return isRequired || definition.default !== undefined ? stored : nullable(stored);
}

function columnDomain(definition: FieldSchema, field: string, isRequired: boolean): Domain {
  const types = [definition.type].flat();
  if (definition.format === "timestamp" || definition.format === "date-or-timestamp") return moment;
  if (definition.format === "uuid") return uuid;
  if (definition.format === "time-zone") return timeZone;
  if (types.includes("boolean")) return flag;
  if (types.includes("object")) return jsonObject(maxMetadataDepth);
  const check = checkOf(definition, field, isRequired);
  if (types.includes("string")) return { kind: "text", isNullable: false, problem: check };
  return {
    ...domain(types.includes("integer") ? "integer" : "decimal", "must be a number", isNumber),
    problem: (text) => (isNumber(text) ? check(Number(text), text) : "must be a number"),
  };
}

const numberShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,6})?$/;
const isNumber = (text: string): boolean => numberShape.test(text);

/** The check of the API for one field. Its messages begin with the name of the field. */
function checkOf(
  definition: FieldSchema,
  field: string,
  isRequired: boolean,
): (value: unknown, spelling?: string) => string | undefined {
  const schema = { properties: { [field]: definition }, required: isRequired ? [field] : [] };
  const check = compileRecordCheck(schema, { uuidFormat: "checked" });
  return (value, spelling) => {
    const source: RecordSource = { numberSpelling: () => spelling, depthAt: () => 0 };
    return check({ [field]: value }, source)[0]?.message.slice(field.length + 1);
  };
}
