import { expect, test } from "vitest";
import { backupKind } from "./backup-kind.js";

const facts = { gatehouseVersion: "1.0.0", schemaVersion: 1 };

test("a backup of a schema that is too new is refused, with the release that can restore it", () => {
  expect(backupKind.problemOf({ ...facts, minimumRelease: "99.1.0" })).toContain("with 99.1.0 or later");
  expect(backupKind.problemOf({ ...facts, minimumRelease: "1.0.0" })).toBeUndefined();
  expect(backupKind.problemOf({ ...facts, minimumRelease: null })).toBeUndefined();
  expect(backupKind.problemOf(facts)).toBeUndefined();
});

test("a backup says which release made it, and holds the key and the certificates", () => {
  expect(backupKind.makerOf(facts)).toBe("Gatehouse 1.0.0");
  expect(backupKind).toMatchObject({ files: ["secret.key"], folders: ["tls"] });
});
