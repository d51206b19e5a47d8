import { isObject, parseTimestamp } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import { jsonBytes } from "../operations/body.js";
import { readObject, readText } from "../json/read-body.js";
import { MalformedJson } from "@gatehouse-parking/json-text";
import { ConsoleRefused } from "../refusals/console-refused.js";

/**
 * Reads the fields of a JSON body. Problems are collected, so that a form hears of all of them at once: read every
 * field, then call `check` before using any.
 */
export interface Body {
  text(field: string): string;
  optionalText(field: string): string | undefined;
  /** Undefined: not given. Null: given as null, which switches something off. */
  clearableText(field: string): string | null | undefined;
  optionalTexts(field: string): string[] | undefined;
  optionalFlag(field: string): boolean | undefined;
  number(field: string): number;
  optionalNumber(field: string): number | null | undefined;
  oneOf<const T extends string>(field: string, words: readonly T[]): T;
  optionalOneOf<const T extends string>(field: string, words: readonly T[]): T | undefined;
  optionalTimestamp(field: string): Date | undefined;
  /** An object within the body, whose problems count as the body's. */
  optionalObject(field: string): Body | null | undefined;
  check(): void;
}

export function readBody(request: FastifyRequest): Body {
  try {
    return bodyOfValue(JSON.parse(jsonBytes(request).toString("utf8")));
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error;
  }
}

/** The same for a body of megabytes: it is read in turns with everybody else, and only these fields are built. */
export async function readLargeBody(request: FastifyRequest, fields: readonly string[]): Promise<Body> {
  try {
    const { value } = await readObject(readText(jsonBytes(request)), new Set(fields));
    return bodyOfValue(value);
  } catch (error) {
    throw error instanceof MalformedJson ? notJson() : error;
  }
}

function bodyOfValue(value: unknown): Body {
  if (!isObject(value)) throw new ConsoleRefused("invalid", ["The body must be a JSON object"]);
  return bodyOf(value, "", []);
}

function notJson(): ConsoleRefused {
  return new ConsoleRefused("invalid", ["The body is not valid JSON"]);
}

function bodyOf(object: Record<string, unknown>, path: string, problems: string[]): Body {
  const read = (field: string): unknown => (Object.hasOwn(object, field) ? object[field] : undefined);
  const wrong = (field: string, what: string): void => {
    problems.push(`${path}${field} ${what}`);
  };
  const isGiven = (field: string): boolean => read(field) !== undefined && read(field) !== null;

  const body: Body = {
    text(field) {
      if (!isGiven(field)) wrong(field, "is required");
      return body.optionalText(field) ?? "";
    },
    optionalText(field) {
      const value = read(field);
      if (typeof value === "string") return value;
      if (isGiven(field)) wrong(field, "must be text");
      return undefined;
    },
    clearableText(field) {
      return read(field) === null ? null : body.optionalText(field);
    },
    optionalTexts(field) {
      const value = read(field);
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
      if (isGiven(field)) wrong(field, "must be a list of texts");
      return undefined;
    },
    optionalFlag(field) {
      const value = read(field);
      if (typeof value === "boolean") return value;
      if (isGiven(field)) wrong(field, "must be true or false");
      return undefined;
    },
    number(field) {
      if (!isGiven(field)) wrong(field, "is required");
      return body.optionalNumber(field) ?? 0;
    },
    optionalNumber(field) {
      const value = read(field);
      if (value === null || (typeof value === "number" && Number.isFinite(value))) return value;
      if (value !== undefined) wrong(field, "must be a number");
      return undefined;
    },
    oneOf(field, words) {
      if (!isGiven(field)) wrong(field, "is required");
      return body.optionalOneOf(field, words) ?? (words[0] as (typeof words)[number]);
    },
    optionalOneOf(field, words) {
      const found = words.find((word) => word === read(field));
      if (found === undefined && isGiven(field)) wrong(field, `must be one of ${words.join(", ")}`);
      return found;
    },
    optionalTimestamp(field) {
      const text = body.optionalText(field);
      if (text === undefined) return undefined;
      const moment = parseTimestamp(text);
      if (moment === undefined) wrong(field, "must be a date and time in ISO 8601, with a zone");
      return new Date(moment ?? 0);
    },
    optionalObject(field) {
      const value = read(field);
      if (value === null || value === undefined) return value;
      if (!isObject(value)) wrong(field, "must be an object");
      return bodyOf(isObject(value) ? value : {}, `${path}${field}.`, problems);
    },
    check() {
      if (problems.length > 0) throw new ConsoleRefused("invalid", problems);
    },
  };
  return body;
}
