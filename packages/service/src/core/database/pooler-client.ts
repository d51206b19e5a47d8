import type pg from "pg";
import { Pipeline, type Statement } from "./pipeline.js";

/** Timeouts for statements, locks and idle transactions. */
export interface Timeouts {
  statement_timeout: number;
  lock_timeout: number;
  idle_in_transaction_session_timeout: number;
}

/**
 * A client for a pooler in transaction mode. The next transaction may use another connection, so nothing can be kept
 * in a session: statements have no names, and each transaction begins by setting its timeouts and isolation level.
 */
export function clientForPooler(base: typeof pg.Client, timeouts: Timeouts): typeof pg.Client {
  const beginning = [
    `begin isolation level ${isolation}`,
    ...Object.entries(timeouts).map(([name, ms]) => `set local ${name} = ${ms}`),
  ];
  const forPooler = (statements: readonly Statement[]): Statement[] =>
    statements.flatMap(({ name: _name, ...statement }) =>
      statement.text === "begin" ? beginning.map((text) => ({ text })) : [statement],
    );
  return class extends base {
    override query(...values: unknown[]): never {
      const [statement, ...rest] = values as [
        Pipeline | string | { name?: string; text: string },
        ...unknown[],
      ];
      if (statement instanceof Pipeline) statement.statements = forPooler(statement.statements);
      const query = super.query as (...values: unknown[]) => unknown;
      return query.call(this, withoutSession(statement), ...rest) as never;
    }
  } as typeof pg.Client;

  function withoutSession(statement: Pipeline | string | { name?: string; text: string }): unknown {
    if (statement === "begin") return beginning.join("; ");
    if (typeof statement === "string" || statement instanceof Pipeline) return statement;
    const { name: _name, ...unnamed } = statement;
    return unnamed;
  }
}

/**
 * Settings that results are parsed with, whatever the defaults of server, database or role. Poolers in transaction
 * mode keep these two per client, because other drivers also send them.
 */
export const readableResults = { DateStyle: "ISO", TimeZone: "UTC" };

/** Statements after a lock must see what was committed while they waited. */
export const isolation = "read committed";

/** Settings of a direct session. Behind a pooler, each transaction sets its isolation level. */
export const sessionSettings = {
  ...readableResults,
  extra_float_digits: "1",
  default_transaction_isolation: isolation,
};

export type Settings = Readonly<Record<string, string>>;

/** The driver supports it, but its types lack it. */
type StartingClient = new (
  config?: string | pg.ClientConfig,
) => pg.Client & { getStartupConf(): Record<string, string> };

/** A client class whose sessions start with these settings, which take precedence over the connection string. */
export function clientWithSettings(base: typeof pg.Client, settings: Settings): typeof pg.Client {
  return class extends (base as unknown as StartingClient) {
    override getStartupConf(): Record<string, string> {
      return { ...super.getStartupConf(), ...settings };
    }
  } as unknown as typeof pg.Client;
}
