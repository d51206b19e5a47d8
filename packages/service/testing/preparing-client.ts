import { createHash } from "node:crypto";
import pg from "pg";

/** A connection on which the server parses and plans every statement with parameters once, however often it is sent. */
export class PreparingClient extends pg.Client {
  // Only as the checks of `verify` call it; the driver's own declaration has six forms.
  override query(text: string, values: unknown[]): Promise<pg.QueryResult> & void {
    const name = createHash("md5").update(text).digest("hex");
    return super.query({ name, text, values }) as Promise<pg.QueryResult> & void;
  }
}
