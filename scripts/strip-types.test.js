import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { stripTypes } from "./strip-types.js";

const root = mkdtempSync(path.join(tmpdir(), "gatehouse-strip-types-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const source = path.join(root, "packages/one/src/deep/answer.ts");
const built = path.join(root, "packages/one/dist/deep/answer.js");
mkdirSync(path.dirname(source), { recursive: true });
writeFileSync(path.join(root, "tsconfig.json"), '{ "references": [{ "path": "packages/one" }] }');
writeFileSync(
  source,
  'import type { A } from "./a.js";\nexport const answer: number = 42 satisfies number;\n',
);
writeFileSync(path.join(path.dirname(source), "answer.test.ts"), "export {};\n");

test("sources become JavaScript without their types, and tests are left out", async () => {
  await stripTypes(root);
  expect(await import(built)).toMatchObject({ answer: 42 });
  expect(readFileSync(built, "utf8")).not.toContain("a.js");
  expect(existsSync(built.replace("answer.js", "answer.test.js"))).toBe(false);
});

test("files newer than their source are kept, older ones are rebuilt", async () => {
  writeFileSync(built, "// mine");
  await stripTypes(root);
  expect(readFileSync(built, "utf8")).toBe("// mine");
  utimesSync(built, 1, 1);
  await stripTypes(root);
  expect(readFileSync(built, "utf8")).toContain("answer = 42");
});
