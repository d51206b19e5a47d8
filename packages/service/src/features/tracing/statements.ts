import { SpanKind } from "@opentelemetry/api";
import type pg from "pg";
import { Pipeline } from "../../core/database/pipeline.js";
import { noAttributes } from "../../core/telemetry/tracer.js";
import type { RecordedSpan, Recorder } from "./recorder.js";

type Query = (this: pg.PoolClient, ...values: unknown[]) => unknown;
type Callback = (error: Error | null | undefined, result: unknown) => void;

/** Opens a span for every statement that the pool's clients send within a recorded request. */
export function recordStatements(pool: pg.Pool, recorder: Recorder): void {
  pool.on("connect", (client) => {
    client.query = recordedQuery(client.query as Query, recorder) as typeof client.query;
  });
  // A waiting caller gets its client from the caller that returns it, and would otherwise continue in that
  // caller's trace.
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown;
  pool.connect = ((callback?: Callback) =>
    callback ? connect(recorder.bind(callback)) : connect()) as typeof pool.connect;
}

function recordedQuery(query: Query, recorder: Recorder): Query {
  return function (this: pg.PoolClient, ...values) {
    const [statement] = values;
    if (statement instanceof Pipeline) {
      followPipeline(statement, recorder);
      return query.apply(this, values);
    }
    const span = beginSpan(statement as Statement, recorder);
    if (!span) return query.apply(this, values);
    const callback = values.at(-1);
    if (typeof callback !== "function") return ending(query.apply(this, values), span);
    const ended: Callback = (error, result) => {
      endSpan(span, error);
      (callback as Callback)(error, result);
    };
    return query.apply(this, [...values.slice(0, -1), ended]);
  };
}

/** The statements run one after the other: each span begins when the previous one ends. */
function followPipeline(pipeline: Pipeline, recorder: Recorder): void {
  const step =
    pipeline.step === undefined ? undefined : recorder.below(pipeline.step, SpanKind.INTERNAL, noAttributes);
  if (step) recorder.within(step, () => followStatements(pipeline, recorder));
  else followStatements(pipeline, recorder);
  pipeline.done.then(
    () => step?.end(),
    (error: unknown) => step?.endWith(error),
  );
}

function followStatements(pipeline: Pipeline, recorder: Recorder): void {
  let span = beginSpan(pipeline.statements[0] as Statement, recorder);
  if (!span) return;
  pipeline.onCompleted = recorder.bind(() => {
    span?.end();
    const next = pipeline.statements[pipeline.completed];
    span = next && beginSpan(next, recorder);
  });
  pipeline.done.catch((error: unknown) => span?.endWith(error));
}

function beginSpan(statement: Statement, recorder: Recorder): RecordedSpan | undefined {
  const name = statementName(statement);
  return recorder.below(name, SpanKind.CLIENT, {
    "db.system.name": "postgresql",
    "db.query.summary": name,
  });
}

async function ending(result: unknown, span: RecordedSpan): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    span.endWith(error);
    throw error;
  } finally {
    span.end();
  }
}

function endSpan(span: RecordedSpan, error: Error | null | undefined): void {
  if (error) span.endWith(error);
  else span.end();
}

type Statement = string | { name?: string; text: string };

const maxKnownTexts = 1_000;
const namesByText = new Map<string, string>();

/** The name of a prepared statement, or its verb and first table. Never values or conditions. */
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
