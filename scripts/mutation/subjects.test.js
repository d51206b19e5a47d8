import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, subjects } from "./subjects.js";

test.each(subjects)(
  "every file and every test that mutants of the $name are tried with is there",
  (subject) => {
    const named = [...subject.files, ...subject.tests];
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  },
);
