import { isUuid, parseTimestamp } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import { ConsoleRefused } from "../refusals/console-refused.js";

/** Reads the query string. An empty value is as good as none, because forms send those; a wrong one is refused. */
export interface Query {
  text(name: string): string | undefined;
  uuid(name: string): string | undefined;
  oneOf<const T extends string | number>(name: string, words: readonly T[]): T | undefined;
  timestamp(name: string): Date | undefined;
  localDate(name: string): string | undefined;
  /** How many rows a page has. */
  limit(): number;
}

const defaultPageRows = 50;
const maxPageRows = 100;
const maxTextLength = 400;
/** Years that leave room for a range before and after the date, still written with four digits. */
const earliestYear = 1000;
const latestYear = 9998;
const yearsTaken = `in the years ${earliestYear} to ${latestYear}`;

export function readQuery(request: FastifyRequest): Query {
  const values = request.query as Record<string, unknown>;
  const read = (name: string): string | undefined => {
    const value = Object.hasOwn(values, name) ? [values[name]].flat().at(-1) : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    text(name) {
      const text = read(name);
      if (text !== undefined && text.length > maxTextLength)
        refuse(name, `must have at most ${maxTextLength} characters`);
      return text;
    },
    uuid(name) {
      const text = read(name);
      if (text !== undefined && !isUuid(text)) refuse(name, "must be a uuid");
      return text?.toLowerCase();
    },
    oneOf(name, words) {
      const text = read(name);
      if (text === undefined) return undefined;
      return (
        words.find((word) => String(word) === text) ?? refuse(name, `must be one of ${words.join(", ")}`)
      );
    },
    timestamp(name) {
      const text = read(name);
      if (text === undefined) return undefined;
      const moment = readMoment(text, false);
      return moment ?? refuse(name, `must be a date and time in ISO 8601, with a zone, ${yearsTaken}`);
    },
    localDate(name) {
      const text = read(name);
      if (text === undefined) return undefined;
      const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && readMoment(text, true) !== undefined;
      return isDate ? text : refuse(name, `must be a date such as 2026-04-01, ${yearsTaken}`);
    },
    limit() {
      const limit = Number(read("limit") ?? defaultPageRows);
      return Number.isInteger(limit) ? Math.min(maxPageRows, Math.max(1, limit)) : defaultPageRows;
    },
  };
}

function readMoment(text: string, mayBeDate: boolean): Date | undefined {
  const parsed = parseTimestamp(text, mayBeDate);
  if (parsed === undefined) return undefined;
  const moment = new Date(parsed);
  const year = moment.getUTCFullYear();
  return year >= earliestYear && year <= latestYear ? moment : undefined;
}

function refuse(name: string, what: string): never {
  throw new ConsoleRefused("invalid", [`${name} ${what}`]);
}
