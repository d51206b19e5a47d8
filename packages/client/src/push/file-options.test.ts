import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMapping } from "./file-options.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-mapping-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a mapping file is read; one that is missing, not JSON or not a mapping is named in the error", async () => {
  const file = join(folder, "mapping.json");
  await writeFile(file, '{"columns":{"Ticket":"transactionId","Attendant":null},"constants":{"type":1}}');
  expect(await readMapping(file)).toMatchObject({
    columns: new Map([
      ["Ticket", [{ to: "transactionId", values: new Map(), with: [] }]],
      ["Attendant", []],
    ]),
    constants: new Map([["type", "1"]]),
  });
  await expect(readMapping(join(folder, "none.json"))).rejects.toThrow("Cannot read the mapping file");
  await writeFile(file, "{");
  await expect(readMapping(file)).rejects.toThrow(`Cannot read the mapping file ${file}`);
  await writeFile(file, "[]");
  await expect(readMapping(file)).rejects.toThrow(`The mapping file ${file}: it must be an object`);
});
