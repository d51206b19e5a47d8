import type { Socket } from "node:net";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { copyInto } from "./copy-rows.js";
import { textRows } from "./copy-text.js";
import { PipelineQueue } from "./pipeline-queue.js";

const gatehouse = useApp();
let client: pg.PoolClient;
let queue: PipelineQueue;

beforeEach(async () => {
  client = await gatehouse.database.work.connect();
  queue = new PipelineQueue(client);
  await client.query("create temp table numbers (number integer check (number < 100))");
});
afterEach(() => client.release(true));

async function numbers(): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>("select number from numbers order by number");
  return rows.map(({ number }) => number);
}

test("statements run in order, see earlier changes, and each caller gets its own result", async () => {
  const taken: unknown[] = [];
  queue.add({ text: "begin" }, copyInto("numbers", ["number"], textRows(["1", "2"])));
  queue.add({
    name: "count-numbers",
    text: "select count(*)::int as count, $1::text as text from numbers",
    values: ["ünï \\ '"],
    take: ({ rows }) => taken.push(rows),
  });
  queue.add(copyInto("numbers", ["number"], textRows(["3"])));
  await queue.send(
    { text: "select $1::int, null", values: [7], rowMode: "array", take: ({ rows }) => taken.push(rows) },
    { text: "update numbers set number = number + 1", take: ({ rowCount }) => taken.push(rowCount) },
    { text: "commit", take: ({ command }) => taken.push(command) },
  );
  expect(taken).toEqual([[{ count: 2, text: "ünï \\ '" }], [[7, null]], 3, "COMMIT"]);
  expect(await numbers()).toEqual([2, 3, 4]);
  await queue.send();
});

test("the first failure rejects, later statements are skipped, and the connection can be used again", async () => {
  const many = Array.from({ length: 300_000 }, (_, index) => String(index));
  for (const failing of [
    { text: "select 1 / 0", code: "22012" },
    { text: "no statement", code: "42601" },
    { ...copyInto("numbers", ["number"], textRows(["5", "100", ...many])), code: "23514" },
    { ...copyInto("nowhere", ["number"], textRows(many)), code: "42P01" },
  ]) {
    const { code, ...statement } = failing;
    queue.add({ text: "begin" }, copyInto("numbers", ["number"], textRows(["1"])), statement);
    const sending = queue.send(copyInto("numbers", ["number"], textRows(many)), { text: "commit" });
    await expect(sending, statement.text).rejects.toMatchObject({ code });
    expect(queue.isLastReached, statement.text).toBe(false);
    await client.query("rollback");
    expect(await numbers(), statement.text).toEqual([]);
  }
});

test("statements stay prepared when a later one fails, and skipped ones are prepared later", async () => {
  const known = { name: "known", text: "select 1" };
  const unknown = { name: "unknown", text: "select from not_yet" };
  await expect(queue.send(known, unknown)).rejects.toMatchObject({ code: "42P01" });
  await client.query("create temp table not_yet ()");
  await queue.send(known, unknown);
  await queue.send(known, unknown);
  const twice = { name: "twice", text: "select 3" };
  await queue.send(twice, twice, { text: "" });
  // The driver's own queries use the same statement names.
  await client.query(known);
  await client.query({ name: "by the driver", text: "select 2" });
  await queue.send({ name: "by the driver", text: "select 2" });
});

test("a COPY that stores fewer rows than it was given fails", async () => {
  await client.query(
    `create function pg_temp.fewer() returns trigger language plpgsql as $$
     begin if new.number = 2 then return null; end if; return new; end $$`,
  );
  await client.query(
    "create trigger fewer before insert on numbers for each row execute function pg_temp.fewer()",
  );
  await expect(queue.send(copyInto("numbers", ["number"], textRows(["1", "2"])))).rejects.toThrow(
    "stored 1 of 2 rows",
  );
});

test("megabytes of rows are sent in pieces while other work runs", async () => {
  await client.query("create temp table texts (text text)");
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let mostInOneTurn = 0;
  let inThisTurn = 0;
  const write = stream.write.bind(stream) as (bytes: Buffer) => boolean;
  stream.write = (bytes: Buffer | string) => {
    if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
    inThisTurn += bytes.length;
    mostInOneTurn = Math.max(mostInOneTurn, inThisTurn);
    return write(bytes as Buffer);
  };
  const rows = Array.from({ length: 5_000 }, () => "x".repeat(1_000));
  await queue.send(copyInto("texts", ["text"], textRows(rows)));
  const { rows: stored } = await client.query("select sum(length(text))::int as length from texts");
  expect(stored).toEqual([{ length: 5_000_000 }]);
  expect(mostInOneTurn).toBeLessThan(500_000);
});

test("the error shows whether the last statement may have run", async () => {
  await expect(queue.send({ text: "begin" }, { text: "select 1 / 0" })).rejects.toMatchObject({
    code: "22012",
  });
  expect(queue.isLastReached, "it failed itself").toBe(true);
  await client.query("rollback");

  const another = new PipelineQueue(client);
  const failing = another.send({ text: "select 1 / 0" }, { text: "select 1" });
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  expect(another.isLastReached, "one before it failed").toBe(false);

  const lost = new PipelineQueue(client);
  const losing = lost.send({ text: "select 1" }, { text: "select 2" });
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  await expect(losing).rejects.toThrow("Connection terminated");
  expect(lost.isLastReached, "unknown").toBe(true);
});
