import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../testing/harness.js";
import { transaction } from "./database/transaction.js";
import { createLogger, maxUnwrittenBytes, type OutputStream } from "./logger.js";

const databaseOfFile = useDatabase();

test("when the log cannot be written, logging never blocks, excess lines are dropped, and logging later resumes", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "log-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Writing fails on a descriptor opened for reading, until the descriptor is replaced.
  const fd = openSync(folder, "r");
  const logger = await createLogger("info", "json", { fd } as unknown as OutputStream);
  const text = "x".repeat(1_000);
  const count = (2 * maxUnwrittenBytes) / text.length;
  for (let line = 0; line < count; line += 1) logger.info({ line }, text);
  closeSync(fd);
  const file = path.join(folder, "log");
  expect(openSync(file, "a")).toBe(fd);
  onTestFinished(() => closeSync(fd));
  logger.info("again");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const written = lines.map((line) => JSON.parse(line) as { line?: number; msg: string });
  expect(written.at(-1)?.msg).toBe("again");
  expect(written[0]?.line).toBe(0);
  expect(written.length).toBeGreaterThan(count / 4);
  expect(written.length).toBeLessThan(count);
});

test("database errors are logged without row values, also as a cause; errors about the server keep their message", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "log-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "log");
  const fd = openSync(file, "a");
  onTestFinished(() => closeSync(fd));
  const logger = await createLogger("info", "json", { fd } as unknown as OutputStream);
  const { work } = databaseOfFile.database;
  const quoting = await work.query("select $1::integer", ["Jo Doe"]).catch((error: unknown) => error);
  const missing = await work
    .query("insert into organizations (id, name) values (gen_random_uuid(), null)")
    .catch((error: unknown) => error);
  const slow = await transaction(work, async (client) => {
    await client.query("set local statement_timeout = 1");
    return client.query("select pg_sleep(10)");
  }).catch((error: unknown) => error);
  expect(String(quoting)).toContain("Jo Doe");
  const own = Object.assign(new Error("the upload failed", { cause: quoting }), { row: "Jo Doe" });
  logger.warn({ err: quoting }, "quoting");
  logger.warn({ err: missing }, "missing");
  logger.warn({ err: own }, "own");
  logger.warn({ err: slow }, "slow");

  const text = readFileSync(file, "utf8");
  expect(text).not.toMatch(/Jo Doe|Failing row/);
  const lines = text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      err: { type: "DatabaseError", code: "22P02", severity: "ERROR", stack: expect.stringContaining("at ") },
    },
    { err: { code: "23502", table: "organizations", column: "name" } },
    { err: { type: "Error", message: "the upload failed", cause: { code: "22P02" } } },
    { err: { code: "57014", message: "canceling statement due to statement timeout" } },
  ]);
});
