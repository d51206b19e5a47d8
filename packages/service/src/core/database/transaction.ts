import pg from "pg";

/** Where a verb does its work: in a transaction of its own, or as part of its caller's. */
export type Connection = pg.Pool | pg.PoolClient;

/**
 * Runs `work` in one transaction: committed if it returns, rolled back if it throws. Given a client, which is in a
 * transaction already, it joins that one, so that verbs can be put together and still happen all or not at all.
 */
export async function transaction<T>(
  connection: Connection,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (!(connection instanceof pg.Pool)) return work(connection);
  const client = await connection.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    try {
      await client.query("rollback");
    } catch (rollbackError) {
      // The connection is of no further use; releasing it with an error removes it from the pool.
      broken = rollbackError as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
