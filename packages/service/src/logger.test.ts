import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLogger, maxUnwrittenBytes, type OutputStream } from "./logger.js";

test("a log that cannot be written costs lines beyond a bound, and nobody who logs; then it goes on", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "log-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Nothing can be written to what was opened for reading, until the same number stands for another file.
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
