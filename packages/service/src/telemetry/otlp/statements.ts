import { finished } from "node:stream";
import type pg from "pg";
import type { Recorder } from "./recorder.js";
import { spanKind, type RecordedSpan } from "./span.js";

type Query = (this: pg.PoolClient, ...values: unknown[]) => unknown;
type Callback = (error: Error | null | undefined, result: unknown) => void;

/** A span for every statement that the pool's clients send within a recorded request. */
export function recordStatements(pool: pg.Pool, recorder: Recorder): void {
  pool.on("connect", (client) => {
    client.query = recordedQuery(client.query as Query, recorder) as typeof client.query;
  });
  // Whoever waits for a client gets it from the one who returns it, and would go on in that one's trace.
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown;
  pool.connect = ((callback?: Callback) =>
    callback ? connect(recorder.bind(callback)) : connect()) as typeof pool.connect;
}

function recordedQuery(query: Query, recorder: Recorder): Query {
  return function (this: pg.PoolClient, ...values) {
    const name = statementName(values[0] as Statement);
    const span = recorder.below(name, spanKind.client, {
      "db.system.name": "postgresql",
      "db.query.summary": name,
    });
    if (!span) return query.apply(this, values);
    const callback = values.at(-1);
    if (typeof callback !== "function") return ending(query.apply(this, values), span);
    const told: Callback = (error, result) => {
      endSpan(span, error);
      (callback as Callback)(error, result);
    };
    return query.apply(this, [...values.slice(0, -1), told]);
  };
}

/** What a statement without a callback gives back: a promise, or the stream of a COPY. */
function ending(result: unknown, span: RecordedSpan): unknown {
  if (result instanceof Promise)
    result.then(
      () => span.end(),
      (error: unknown) => span.endWith(error),
    );
  else finished(result as NodeJS.WritableStream, (error) => endSpan(span, error));
  return result;
}

function endSpan(span: RecordedSpan, error: Error | null | undefined): void {
  if (error) span.endWith(error);
  else span.end();
}

type Statement = string | { name?: string; text: string };

const maxKnownTexts = 1_000;
const namesByText = new Map<string, string>();

/** The name of a prepared statement, or else its verb and its first table. Never more of a text: no value, no condition. */
export function statementName(statement: Statement): string {
  if (typeof statement !== "string" && statement.name !== undefined) return statement.name;
  const text = typeof statement === "string" ? statement : statement.text;
  let name = namesByText.get(text);
  if (name === undefined) {
    name = firstWords(text);
    if (namesByText.size >= maxKnownTexts) namesByText.clear();
    namesByText.set(text, name);
  }
  return name;
}

function firstWords(text: string): string {
  const [verb = "statement"] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update|copy)\s([a-z_]+)\b/i.exec(text) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}
