import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { openDatabase } from "./pool.js";

const used = useDatabase();
const goodbye = Buffer.from("X\0\0\0\u0004");

/** A proxy for the database that does not forward the client's disconnect. */
async function startKeeper(connectionString: string) {
  const target = new URL(connectionString);
  let last: Socket | undefined;
  const keeper = createServer({ allowHalfOpen: true }, (driver) => {
    const server = connect(Number(target.port), target.hostname);
    last = driver;
    driver.on("data", (bytes) => bytes.equals(goodbye) || server.write(bytes));
    server.pipe(driver);
  });
  onTestFinished(() => void keeper.close());
  keeper.listen(0, "127.0.0.1");
  await once(keeper, "listening");
  const kept = new URL(connectionString);
  kept.port = String((keeper.address() as AddressInfo).port);
  return { connectionString: kept.href, lastIsGone: () => once(last as Socket, "close") };
}

test("a connection that the server closes is reported, unless the database is being closed", async () => {
  const keeper = await startKeeper(used.connectionString);
  const endExports = () =>
    used.database.work.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'gatehouse exports'`,
    );
  const lost: string[] = [];
  const database = openDatabase({
    connectionString: keeper.connectionString,
    workConnections: 1,
    onConnectionError: ({ message }) => lost.push(message),
  });
  await database.exports.query("select 1");
  await endExports();
  await expect.poll(() => lost).toEqual(["terminating connection due to administrator command"]);

  await database.exports.query("select 1");
  await database.close();
  const gone = keeper.lastIsGone();
  await endExports();
  await gone;
  expect(lost).toHaveLength(1);
});
