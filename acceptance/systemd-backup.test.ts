import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readAssignments, readUnitFile, shellScriptOf } from "../deploy/testing/unit-file.js";
import { environment, gatehouseCommand } from "./command.js";
import { leave, newPlaceWithDatabase, startForTest } from "./running-service.js";

const unit = readUnitFile(
  readFileSync(new URL("../deploy/systemd/gatehouse-backup.service", import.meta.url), "utf8"),
)["Service"];
const dayMs = 24 * 60 * 60 * 1000;

test("the README's command that prepares the embedded PostgreSQL creates a database in a temporary folder", async () => {
  const readme = readFileSync(new URL("../deploy/systemd/README.md", import.meta.url), "utf8");
  const line = /^GATEHOUSE_DATA_DIR=\$\(mktemp -d\) .*$/m.exec(readme)?.[0] ?? "";
  const program = "/opt/gatehouse/node_modules/.bin/gatehouse";
  expect(line).toContain(program);
  const temporary = await mkdtemp(path.join(tmpdir(), "gatehouse-readme-"));
  onTestFinished(() => rm(temporary, { recursive: true }));
  const { status, stderr } = spawnSync("/bin/sh", ["-c", line.replace(program, gatehouseCommand)], {
    env: environment({ TMPDIR: temporary }),
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  const [made = ""] = await readdir(temporary);
  expect(await readdir(path.join(temporary, made))).toContain("postgres");
});

test("the commands of the backup unit create a daily file beside the running service and delete old ones", async () => {
  const place = await newPlaceWithDatabase();
  onTestFinished(() => leave(place));
  const service = await startForTest(place);
  const folder = path.join(place.dataDirectory, "backups");
  await mkdir(folder);
  const { BACKUP_DAYS = "" } = readAssignments(
    (unit?.["Environment"] ?? []).flatMap((line) => line.split(" ")),
  );
  const kept = { "gatehouse-young.tar.gz": Number(BACKUP_DAYS) - 1, "unrelated.txt": 1_000 };
  const old = { "gatehouse-old.tar.gz": Number(BACKUP_DAYS) + 2 };
  for (const [name, days] of Object.entries({ ...kept, ...old })) {
    await writeFile(path.join(folder, name), "");
    const made = new Date(Date.now() - days * dayMs);
    await utimes(path.join(folder, name), made, made);
  }

  const variables = { ...environment(place.variables), BACKUP_FOLDER: folder, BACKUP_DAYS };
  for (const command of [...(unit?.["ExecStart"] ?? []), ...(unit?.["ExecStartPost"] ?? [])]) {
    const script = shellScriptOf(command)
      .replace("/usr/bin/node", process.execPath)
      .replace(/\/opt\/gatehouse\/\S+gatehouse\.js/, gatehouseCommand);
    const { status, stderr } = spawnSync("/bin/sh", ["-c", script], { env: variables, encoding: "utf8" });
    expect(status, stderr).toBe(0);
  }

  const files = (await readdir(folder)).toSorted();
  const made = files.filter((name) => /^gatehouse-\d{4}-\d{2}-\d{2}\.tar\.gz$/.test(name));
  expect(made).toHaveLength(1);
  expect(files).toEqual([...made, ...Object.keys(kept)].toSorted());
  expect((await service.send("/readyz")).status).toBe(200);
});
