import type pg from "pg";

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
