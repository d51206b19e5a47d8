import { createHash } from "node:crypto";
import pg from "pg";
import { clientWithSettings, sessionSettings } from "../src/core/database/pooler-client.js";

const Client = clientWithSettings(pg.Client, sessionSettings);

/** A connection on which the server parses and plans every statement with parameters once. */
export async function connectPreparing(connectionString: string): Promise<pg.Client> {
  const client = new Client({ connectionString });
  await client.connect();
  const send = client.query.bind(client);
  // The checks of `verify` call it with a text and values.
  const query = (text: string, values: unknown[]) =>
    send({ name: createHash("sha256").update(text).digest("hex").slice(0, 32), text, values });
  return Object.assign(client, { query: query as typeof client.query });
}
