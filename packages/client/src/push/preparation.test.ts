import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMapping } from "./preparation.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-mapping-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a mapping file is read; one that is not there, is no JSON or no mapping is named", async () => {
  const file = join(folder, "mapping.json");
  await writeFile(file, '{"columns":{"Ticket":"transactionId","Attendant":null},"constants":{"type":1}}');
  expect(await readMapping(file)).toMatchObject({
    columns: new Map([
      ["Ticket", { to: "transactionId", values: new Map() }],
      ["Attendant", null],
    ]),
    constants: new Map([["type", "1"]]),
  });
  await expect(readMapping(join(folder, "none.json"))).rejects.toThrow("cannot be read");
  await writeFile(file, "{");
  await expect(readMapping(file)).rejects.toThrow(`${file} cannot be read`);
  await writeFile(file, "[]");
  await expect(readMapping(file)).rejects.toThrow(`The mapping file ${file}: it must be an object`);
});
