import { maxAmountScale, maxMetadataDepth } from "../limits.js";
import type { FieldSchema } from "../schema/fields.js";
import { readDecimal, type Decimal } from "./decimal.js";
import { isStorableText, isWithinLength } from "./formats.js";
import { formats } from "./named-formats.js";

/**
 * Compiles a record schema of the contract into a function that lists every problem of a record with its path. It reads
 * the JSON Schema that OpenAPI publishes and applies the rules of the interface: null in an optional field means "not
 * given", a blank required field counts as missing, and lengths are code points.
 */
export interface Problem {
  path: string;
  /** MissingRequiredField or ValidationFailed. */
  reasonCode: 4 | 5;
  /** A sentence that starts with the path. */
  message: string;
}

export interface CheckOptions {
  /**
   * Whether a string in a uuid field must be a well-formed UUID. Imports leave that to the lookup: malformed uuids are
   * not found, just like unknown ones.
   */
  uuidFormat: "checked" | "looked up";
  /** Schemas of nested objects, by $id. */
  nested?: Record<string, object>;
  /**
   * Records (the default) come from programs and are stored as they are. Forms are filled in by people: null in any
   * optional field means "not given". The code that stores a form checks for blank and unstorable text.
   */
  of?: "records" | "forms";
}

/** The JSON text of the record, if available. It keeps details that parsing loses. */
export interface RecordSource {
  /** How a number was written; undefined if the parsed value is exact. */
  numberSpelling(path: readonly string[]): string | undefined;
  /** The nesting depth of the value at `path`; 0 if it is known to be within every limit. */
  depthAt(path: readonly string[]): number;
}

export type RecordCheck = (record: Record<string, unknown>, source?: RecordSource) => Problem[];

type Field = FieldSchema & {
  anyOf?: ({ $ref?: string } & object)[];
  properties?: ObjectSchema["properties"];
  items?: FieldSchema;
};

interface ObjectSchema {
  properties: Record<string, Field>;
  required?: readonly string[];
  anyOf?: { required: readonly string[] }[];
}

type FieldCheck = (value: unknown, problems: Problem[], source: RecordSource | undefined) => void;

export function compileRecordCheck(schema: object, options: CheckOptions): RecordCheck {
  const check = compileObject(schema as ObjectSchema, [], options);
  return (record, source) => {
    const problems: Problem[] = [];
    check(record, problems, source);
    return problems;
  };
}

function compileObject(schema: ObjectSchema, path: readonly string[], options: CheckOptions): FieldCheck {
  const required = new Set(schema.required);
  const alternatives = (schema.anyOf ?? []).map((alternative) => alternative.required[0] as string);
  const alternativePaths = alternatives.map((name) => [...path, name].join("."));
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    path: [...path, name].join("."),
    isRequired: required.has(name),
    isAlternative: alternatives.includes(name),
    takesNull: takesNull(field) || (options.of === "forms" && !required.has(name)),
    check: compileField(field, [...path, name], options),
  }));

  const isMissing = options.of === "forms" ? isAbsent : isAbsentOrBlank;

  return (value, problems, source) => {
    const record = value as Record<string, unknown>;
    const noAlternative = alternatives.length > 0 && alternatives.every((name) => isMissing(record[name]));
    if (noAlternative) problems.push(missing(alternativePaths.join(" or ")));
    for (const field of fields) {
      const given = record[field.name];
      if (field.isRequired && isMissing(given)) problems.push(missing(field.path));
      else if (given === undefined || (given === null && field.takesNull)) continue;
      else if (field.isAlternative && noAlternative && typeof given === "string") continue;
      else field.check(given, problems, source);
    }
  };
}

function isAbsentOrBlank(value: unknown): boolean {
  return isAbsent(value) || (typeof value === "string" && value.trim() === "");
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function missing(path: string): Problem {
  return { path, reasonCode: 4, message: `${path} is required` };
}

function takesNull(field: Field): boolean {
  return field.anyOf !== undefined || (Array.isArray(field.type) && field.type.includes("null"));
}

function compileField(field: Field, path: readonly string[], options: CheckOptions): FieldCheck {
  const reference = field.anyOf?.find((alternative) => alternative.$ref)?.$ref;
  if (reference) return compileNested(schemaNamed(reference, options), path, options);
  if (field.properties) return compileNested(field as object as ObjectSchema, path, options);
  if (field.items) return compileList(field.items, path, options);
  if (field.type === undefined && field.enum) return compileWord(field.enum, path.join("."));
  const types = [field.type].flat();
  if (types.includes("string")) return compileText(field, path.join("."), options);
  if (types.includes("integer")) return compileInteger(field, path.join("."));
  if (types.includes("number"))
    return field.exclusiveMaximum === undefined ? compileNumber(path.join(".")) : compileAmount(field, path);
  if (types.includes("boolean")) {
    return refuseUnless((value) => typeof value === "boolean", path.join("."), "must be true or false");
  }
  return compileMetadata(path);
}

function schemaNamed(id: string, options: CheckOptions): ObjectSchema {
  const schema = options.nested?.[id];
  if (!schema) throw new Error(`No schema was given for ${id}`);
  return schema as ObjectSchema;
}

function compileNested(schema: ObjectSchema, path: readonly string[], options: CheckOptions): FieldCheck {
  const inner = compileObject(schema, path, options);
  const name = path.join(".");
  return (value, problems, source) => {
    if (isObject(value)) inner(value, problems, source);
    else problems.push(wrong(name, "must be an object"));
  };
}

/** Reports only the first wrong item: there may be thousands. */
function compileList(items: Field, path: readonly string[], options: CheckOptions): FieldCheck {
  const name = path.join(".");
  const check = compileField(items, [`${name} holds something that`], options);
  return (value, problems, source) => {
    if (!Array.isArray(value)) problems.push(wrong(name, "must be a list"));
    else {
      const found: Problem[] = [];
      for (const item of value) if (found.length === 0) check(item, found, source);
      problems.push(...found.map((problem) => ({ ...problem, path: name })));
    }
  };
}

function compileWord(words: readonly unknown[], path: string): FieldCheck {
  return refuseUnless((value) => words.includes(value), path, `must be one of ${words.join(", ")}`);
}

function compileNumber(path: string): FieldCheck {
  return refuseUnless((value) => typeof value === "number", path, "must be a number");
}

function compileText(field: FieldSchema, path: string, options: CheckOptions): FieldCheck {
  if (field.format === "uuid" && options.uuidFormat === "looked up") {
    // The value is only compared, never stored, so any string is allowed. Malformed ones match nothing.
    return refuseUnless((value) => typeof value === "string", path, "must be a string");
  }
  const maxLength = field.maxLength ?? Number.POSITIVE_INFINITY;
  const allowed = field.enum?.filter((value) => value !== null);
  const format = formats[field.format ?? ""];
  return (value, problems) => {
    if (typeof value !== "string") problems.push(wrong(path, "must be a string"));
    else if (!isWithinLength(value, maxLength))
      problems.push(wrong(path, `must have at most ${maxLength} characters`));
    else if (options.of !== "forms" && !isStorableText(value))
      problems.push(wrong(path, "must not contain U+0000 or half of a surrogate pair"));
    else if (allowed && !allowed.includes(value))
      problems.push(wrong(path, `must be one of ${allowed.join(", ")}`));
    else if (format && !format.fits(value)) problems.push(wrong(path, format.must));
  };
}

function compileInteger(field: FieldSchema, path: string): FieldCheck {
  const allowed = field.enum?.filter((value) => value !== null);
  if (allowed) {
    const values = new Set<unknown>(allowed);
    return refuseUnless((value) => values.has(value), path, `must be one of ${allowed.join(", ")}`);
  }
  const minimum = field.minimum ?? Number.MIN_SAFE_INTEGER;
  const maximum = field.maximum ?? Number.MAX_SAFE_INTEGER;
  return refuseUnless(
    (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
    path,
    `must be a whole number from ${minimum} to ${maximum}`,
  );
}

function compileAmount(field: FieldSchema, segments: readonly string[]): FieldCheck {
  const bound = field.exclusiveMaximum as number;
  const path = segments.join(".");
  return (value, problems, source) => {
    if (value === null) problems.push(wrong(path, "must be a number, 0 if it does not apply"));
    else if (typeof value !== "number") problems.push(wrong(path, "must be a number"));
    else {
      const spelled = source?.numberSpelling(segments);
      const exact = spelled === undefined ? undefined : readDecimal(spelled);
      if (!isBelow(value, bound, exact)) {
        problems.push(wrong(path, `must be a number between -${bound} and ${bound}, exclusive`));
      } else if (exact && exact.decimalPlaces > maxAmountScale) {
        problems.push(wrong(path, `must have at most ${maxAmountScale} decimal places`));
      }
    }
  };
}

/** A number just below the bound (a power of ten) may round up to it when parsed, so its digits decide. */
function isBelow(value: number, bound: number, exact: Decimal | undefined): boolean {
  const size = Math.abs(value);
  return size === bound && exact ? 10 ** exact.wholeDigits <= bound : size < bound;
}

function compileMetadata(segments: readonly string[]): FieldCheck {
  const path = segments.join(".");
  return (value, problems, source) => {
    if (!isObject(value)) problems.push(wrong(path, "must be an object"));
    else if (source ? source.depthAt(segments) > maxMetadataDepth : isDeeperThan(value, maxMetadataDepth)) {
      problems.push(wrong(path, `must not be nested deeper than ${maxMetadataDepth} levels`));
    }
  };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseUnless(fits: (value: unknown) => boolean, path: string, must: string): FieldCheck {
  return (value, problems) => {
    if (!fits(value)) problems.push(wrong(path, must));
  };
}

function wrong(path: string, must: string): Problem {
  return { path, reasonCode: 5, message: `${path} ${must}` };
}
