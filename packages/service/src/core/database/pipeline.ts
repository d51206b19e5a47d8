import pg from "pg";
import type { CopyRows } from "./copy-rows.js";

/** A statement and the handler of its result. */
export interface Statement {
  text: string;
  /** Name of the prepared statement. It is prepared once per connection. */
  name?: string;
  values?: readonly (string | number | null)[];
  /** The rows of a COPY, sent right after the statement. */
  rows?: CopyRows;
  /** Undefined: rows are objects. */
  rowMode?: "array";
  /** Called with the result, once all statements of the pipeline have succeeded. Throws if the result is wrong. */
  take?: (answer: pg.QueryResult) => void;
}

/**
 * PostgreSQL's pipeline mode: sends all statements, COPY and its rows included, with one Sync, and waits once for all
 * answers (docs/decisions/0008). The server runs them in order, each with its own snapshot, and none after a failure.
 */
export class Pipeline implements pg.Submittable {
  statements: readonly Statement[] = [];
  /** What the statements do together, for traces. */
  readonly step: string | undefined;
  readonly done: Promise<void>;
  /** The number of completed statements, also after a failure. */
  completed = 0;
  /** Called after each statement. */
  onCompleted: (() => void) | undefined;
  /** node-postgres wraps it with the query timeout. */
  callback: (error?: Error) => void = () => undefined;
  readonly #client: pg.ClientBase;
  #results: ResultInMaking[] = [];
  #isOver = false;
  #unfit: Error | undefined;

  constructor(client: pg.ClientBase, statements: readonly Statement[], step?: string) {
    this.#client = client;
    this.statements = statements;
    this.step = step;
    this.done = new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
    });
    // Prevents an unhandled rejection if the pipeline fails before it is awaited.
    this.done.catch(() => undefined);
  }

  /** For traces and tests. */
  get text(): string {
    return this.statements.map(({ text }) => text).join("; ");
  }

  submit(connection: pg.Connection): void {
    this.#results = this.statements.map(
      ({ rowMode = "object" }) => new pg.Result(rowMode, this.#client as never) as unknown as ResultInMaking,
    );
    const { stream } = connection;
    const messages = this.#write(connection as WritingConnection);
    let isWritten = false;
    const write = (): void => {
      while (!isWritten && stream.writable && !stream.writableNeedDrain) {
        // Messages written together are sent in one packet.
        stream.cork();
        try {
          do isWritten = messages.next().done === true;
          while (!isWritten && stream.writableLength < maxUnsentBytes);
        } finally {
          stream.uncork();
        }
      }
      // A fast connection takes megabytes at once, so the event loop gets a turn in between.
      if (!isWritten) stream.once("drain", () => setImmediate(write));
    };
    write();
  }

  /**
   * Writes the messages, and pauses wherever the socket may be full. It stops once the server has refused a statement.
   */
  *#write(connection: WritingConnection): Generator<void> {
    const parsing: Statement[] = [];
    // A statement that was prepared stays prepared even if a later one fails, and must not be prepared again.
    const onParsed = (): void => {
      const parsed = parsing.shift();
      if (parsed?.name !== undefined) connection.parsedStatements[parsed.name] = parsed.text;
    };
    connection.on("parseComplete", onParsed);
    connection.once("readyForQuery", () => connection.off("parseComplete", onParsed));
    for (const statement of this.statements) {
      if (this.#isOver) break;
      const { text, name = "", values = [], rows } = statement;
      if (
        connection.parsedStatements[name] !== text &&
        !parsing.some((other) => name !== "" && other.name === name)
      ) {
        parsing.push(statement);
        connection.parse({ text, name });
      }
      connection.bind({
        statement: name,
        values: values.map((value) => (value === null ? null : `${value}`)),
      });
      if (rows === undefined) connection.describe({ type: "P" });
      connection.execute({});
      for (const message of rows?.messages() ?? []) {
        if (this.#isOver) break;
        connection.stream.write(message);
        yield;
      }
      // Without a flush, the server reports all statements together at the end.
      if (this.onCompleted) connection.flush();
    }
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#current.addFields(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const result = this.#current;
    try {
      result.addRow(result.parseRow(fields));
    } catch (error) {
      this.#unfit ??= error as Error;
    }
  }

  handleCommandComplete(message: { text: string }): void {
    this.#current.addCommandComplete(message);
    this.handleEmptyQuery();
  }

  /** The answer to an empty statement, instead of CommandComplete. */
  handleEmptyQuery(): void {
    this.completed += 1;
    this.onCompleted?.();
  }

  /** The rows were sent already. */
  handleCopyInResponse(): void {}

  handleError(error: Error): void {
    this.#isOver = true;
    this.callback(error);
  }

  handleReadyForQuery(): void {
    try {
      if (this.#unfit) throw this.#unfit;
      for (const [index, { take }] of this.statements.entries())
        take?.(this.#results[index] as pg.QueryResult);
      this.callback();
    } catch (error) {
      this.callback(error as Error);
    }
  }

  get #current(): ResultInMaking {
    return this.#results[this.completed] as ResultInMaking;
  }
}

/** A whole transaction in one round trip: none of the statements has an effect unless all of them succeed. */
export async function transactionAtOnce(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const pipeline = new Pipeline(client, [{ text: "begin" }, ...statements, { text: "commit" }]);
    client.query(pipeline);
    await pipeline.done;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) broken = error as Error;
    else await client.query("rollback").catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The limit for unsent bytes of one pipeline. More is written after the server has read some. */
const maxUnsentBytes = 262_144;

/** The methods with which node-postgres builds a result. */
interface ResultInMaking extends pg.QueryResult {
  addFields(fields: pg.FieldDef[]): void;
  parseRow(fields: (string | null)[]): pg.QueryResultRow;
  addRow(row: pg.QueryResultRow): void;
  addCommandComplete(message: { text: string }): void;
}

/** The connection below a client, as node-postgres' own queries use it. */
interface WritingConnection extends Omit<pg.Connection, "parse" | "bind" | "describe" | "execute" | "sync"> {
  /** Texts by their names. */
  parsedStatements: Record<string, string>;
  parse(message: { text: string; name: string }): void;
  bind(message: { statement: string; values: (string | null)[] }): void;
  describe(message: { type: "P" }): void;
  execute(message: object): void;
  flush(): void;
  sync(): void;
}
