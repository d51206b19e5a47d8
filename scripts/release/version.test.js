import { expect, test } from "vitest";
import { filesThatDiffer, filesWithVersion, readVersionedFiles } from "./version.js";

test("a version reaches every package, what they want of each other, and the lock; others' versions stay", () => {
  const before = readVersionedFiles();
  const after = filesWithVersion(before, "9.8.7");
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
  expect(Object.keys(after).filter((name) => after[name].version !== "9.8.7")).toEqual([]);
  const service = after["packages/service/package.json"];
  expect(service.dependencies["@gatehouse-parking/contract"]).toBe("9.8.7");
  expect(service.dependencies["fastify"]).toBe(
    before["packages/service/package.json"].dependencies["fastify"],
  );
  const { packages } = after["package-lock.json"];
  expect(packages[""].version).toBe("9.8.7");
  expect(packages["packages/console"].dependencies["@gatehouse-parking/contract"]).toBe("9.8.7");
  expect(packages["node_modules/fastify"]).toEqual(
    before["package-lock.json"].packages["node_modules/fastify"],
  );
});

test("a package that was forgotten is named, wherever the old version stands", () => {
  const files = filesWithVersion(readVersionedFiles(), "9.8.7");
  expect(filesThatDiffer(files, "9.8.7")).toEqual([]);
  const client = files["packages/client/package.json"];
  const forgotten = {
    ...files,
    "packages/client/package.json": {
      ...client,
      dependencies: { ...client.dependencies, "@gatehouse-parking/contract": "9.8.6" },
    },
  };
  expect(filesThatDiffer(forgotten, "9.8.7")).toEqual(["packages/client/package.json"]);
});
