import type pg from "pg";
import { Pipeline, type Statement } from "./pipeline.js";

/** How long a statement, a lock and an idle transaction may take. */
export interface Patience {
  statement_timeout: number;
  lock_timeout: number;
  idle_in_transaction_session_timeout: number;
}

/**
 * A client for a server that is reached through a pooler in transaction mode. There is no session: the next transaction
 * may be another connection's. So what a session would keep is not relied upon: statements have no names, and how long
 * they may take, and what they see of others, is said at the beginning of each transaction.
 */
export function clientForPooler(base: typeof pg.Client, patience: Patience): typeof pg.Client {
  const beginning = [
    `begin isolation level ${isolation}`,
    ...Object.entries(patience).map(([name, ms]) => `set local ${name} = ${ms}`),
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
 * What results are read by, whatever the server, the database or the role has for a default. Poolers in transaction mode keep
 * these two for a client, because other drivers send them as well.
 */
export const readableResults = { DateStyle: "ISO", TimeZone: "UTC" };

/** What comes behind a lock has to see what was committed while it waited. */
export const isolation = "read committed";

/** Of a session that is the service's own. Behind a pooler, transactions say for themselves how they are isolated. */
export const sessionSettings = {
  ...readableResults,
  extra_float_digits: "1",
  default_transaction_isolation: isolation,
};

export type Settings = Readonly<Record<string, string>>;

/** The driver has it, and its types do not. */
type StartingClient = new (
  config?: string | pg.ClientConfig,
) => pg.Client & { getStartupConf(): Record<string, string> };

/** A client whose sessions begin with these settings, which come before those of the connection string. */
export function clientWithSettings(base: typeof pg.Client, settings: Settings): typeof pg.Client {
  return class extends (base as unknown as StartingClient) {
    override getStartupConf(): Record<string, string> {
      return { ...super.getStartupConf(), ...settings };
    }
  } as unknown as typeof pg.Client;
}
