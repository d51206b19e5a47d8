import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rotateServerLog, openServerLog, readServerLogTail } from "./server-log.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "server-log-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("a log that is too long is rotated while the server writes", async () => {
  const logFile = path.join(folder, "postgres.log");
  const server = await openServerLog(logFile);
  await server.write("x".repeat(9 * 1024 * 1024));
  await rotateServerLog(logFile);
  await server.write("after the cut\n");
  await server.close();
  expect(await readServerLogTail(logFile)).toBe("after the cut");
  expect((await stat(`${logFile}.1`)).size).toBe(9 * 1024 * 1024);
});

test("the tail has the last lines from a given position on", async () => {
  const logFile = path.join(folder, "postgres.log");
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  await writeFile(logFile, `${lines.join("\n")}\n`);
  expect(await readServerLogTail(logFile)).toBe(lines.slice(-15).join("\n"));
  expect(await readServerLogTail(logFile, (await stat(logFile)).size - "line 98\nline 99\n".length)).toBe(
    "line 98\nline 99",
  );
  expect(await readServerLogTail(path.join(folder, "missing.log"))).toBe("");
});
