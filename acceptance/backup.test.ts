import { execFile } from "node:child_process";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { environment, flags, gatehouse } from "./command.js";
import { isOpenToAll, unprivilegedUser } from "./ordinary-user.js";
import {
  copyMadeDatabase,
  leave,
  newPlace,
  newPlaceWithDatabase,
  placeAt,
  startForTest,
  startService,
  stop,
  until,
  type Place,
  type RunningService,
} from "./running-service.js";

const batchSize = 50;
const clients = 2;
/** The maximum number of batches that a client sends during the backup, because a slow machine takes longer for it. */
const batchesMeanwhile = 25;

async function placeForTest(
  variables: Record<string, string> = {},
  make = newPlace,
): Promise<Place & { data: string }> {
  const place = await make(variables);
  onTestFinished(() => leave(place));
  return { ...place, data: place.variables["GATEHOUSE_DATA_DIR"] as string };
}

/** Sends a batch and returns its results. Records depend only on their number, so a replay sends the same ones. */
async function importBatch(service: RunningService, key: string, locationUuid: string, numbers: number[]) {
  const transactions = numbers.map((number) => ({
    transactionId: `T-${number}`,
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    account: { tpReferenceId: `A-${number % 500}`, name: "Acme" },
    vehicle: { licensePlate: `P ${number % 900}` },
  }));
  const answer = await service.send("/integrations/transactions", { key, body: { transactions } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.results as { reference: string; status: number; uuid: string }[];
}

test("a backup under load contains what was acknowledged before it, and after a restore a replay completes the rest without duplicates", async () => {
  const place = await placeForTest(
    { GATEHOUSE_LIMITS: "importTransactions=1000000/60" },
    newPlaceWithDatabase,
  );
  const service = await startService(place);
  const { key, locationUuid, organizationUuid } = service.demo as NonNullable<RunningService["demo"]>;
  // The first stored secret creates the key that encrypts it.
  const captcha = flags({ captcha: "turnstile" });
  await place.gatehouse(
    ["organization", "configure", organizationUuid, ...captcha, "--captcha-secret-stdin"],
    "captcha-secret",
  );
  const acknowledged = new Map<string, string>();
  let lastNumber = 0;
  let enough = Number.POSITIVE_INFINITY;
  const isEnough = () => lastNumber >= enough;
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const next = (): number[] => Array.from({ length: batchSize }, () => (lastNumber += 1));
  const sending = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!over.signal.aborted && !isEnough()) {
        for (const { reference, uuid } of await importBatch(service, key, locationUuid, next()))
          acknowledged.set(reference, uuid);
      }
    }),
  );
  await until(async () => acknowledged.size >= 10 * batchSize);
  const before = new Map(acknowledged);
  enough = lastNumber + clients * batchesMeanwhile * batchSize;
  const file = path.join(place.dataDirectory, "backup.tar.gz");
  const made = await place.gatehouse(["backup", file, "--json"]);
  over.abort();
  await sending;
  expect(made.json).toMatchObject({ file, postgresMajor: 18 });
  expect(acknowledged.size, "imports continued during the backup").toBeGreaterThan(before.size + batchSize);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await stop(service);

  const namesBefore = await readdir(place.data);
  const secrets = () =>
    Promise.all(
      ["secret.key", "tls/ca.pem", "tls/ca-key.pem"].map((name) => readFile(path.join(place.data, name))),
    );
  const secretsBefore = await secrets();
  await rm(place.data, { recursive: true });
  const restored = await place.gatehouse(["restore", file, "--json"]);
  expect(restored.json).toMatchObject({ sha256: made.json.sha256, dataDirectory: place.data });
  expect(await secrets()).toEqual(secretsBefore);
  // The backup has to contain everything that the service keeps in its folder, except the server's log and
  // the note about the last backup.
  const left = new Set(["postgres.log", "last-backup.json"]);
  expect(await readdir(place.data)).toEqual(namesBefore.filter((name) => !left.has(name)));

  const again = await startForTest(place);
  expect([again.demo, again.ca]).toEqual([null, service.ca]);
  const stored = new Map<string, string>();
  for (let first = 1; first <= lastNumber; first += 500) {
    const numbers = Array.from(
      { length: Math.min(500, lastNumber - first + 1) },
      (_, index) => first + index,
    );
    const replay = await importBatch(again, key, locationUuid, numbers);
    for (const { reference, status, uuid } of replay) {
      if (before.has(reference))
        expect([reference, status, uuid]).toEqual([reference, 3, before.get(reference)]);
      stored.set(reference, uuid);
    }
    const second = await importBatch(again, key, locationUuid, numbers);
    expect(second).toEqual(
      replay.map(({ reference, uuid }) => expect.objectContaining({ reference, uuid, status: 3 })),
    );
  }
  expect(stored.size).toBe(lastNumber);
  expect((await place.gatehouse(["verify", "--json"])).json).toMatchObject({ ok: true });
});

test("a service makes and tests backups automatically, shows them, limits their number, and they can be restored", async () => {
  const place = await newPlaceWithDatabase({ GATEHOUSE_DEMO: "off", GATEHOUSE_BACKUP_EVERY: "1h" });
  onTestFinished(() => leave(place));
  const data = place.variables["GATEHOUSE_DATA_DIR"] as string;
  const folder = path.join(place.dataDirectory, "backups");
  Object.assign(place.variables, { GATEHOUSE_BACKUP_DIR: folder, GATEHOUSE_BACKUP_KEEP: "1" });
  const service = await startService(place);
  const cookie = await signInByLink(service);
  const shownBy = async ({ send }: RunningService) =>
    (await send("/console/api/installation/service", { headers: { cookie } })).json.scheduledBackups;
  await until(async () => (await shownBy(service)).lastGood !== null);
  const { lastGood: first, nextAt, ...rest } = await shownBy(service);
  expect(rest).toMatchObject({
    folder,
    areTried: true,
    failure: null,
    isOverdue: false,
    everySeconds: 3_600,
  });
  expect(first.restoredAt > first.createdAt).toBe(true);
  expect(Date.parse(nextAt) - Date.parse(first.createdAt)).toBe(3_600_000);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(first.file)).mode & 0o777).toBe(0o600);
  expect(service.log()).toContainEqual(
    expect.objectContaining({ msg: "scheduled backup made and verified" }),
  );

  // The same as a command. It removes what a killed process has left, and the older backup.
  const { json: organization } = await place.gatehouse([
    "organization",
    "create",
    "--name",
    "Kept",
    "--json",
  ]);
  await writeFile(`${first.file}.partial-0123456789ab`, "half");
  const { json: second } = await place.gatehouse(["backup", "--json"]);
  expect(second.removed).toEqual([path.basename(first.file)]);
  const kept = path.basename(second.file);
  expect((await readdir(folder)).toSorted()).toEqual([kept.replace(".tar.gz", ".json"), kept]);
  await stop(service);

  await rm(data, { recursive: true });
  expect((await place.gatehouse(["restore", second.file, "--json"])).json).toMatchObject({
    organizations: 1,
  });
  // The schedule continues after a restart: the last backup is recent, so there is no new one.
  const again = await startForTest(place);
  await until(async () => (await shownBy(again)).lastGood !== null);
  expect(await shownBy(again)).toMatchObject({ isRunning: false, lastGood: { file: second.file } });
  expect((await place.gatehouse(["organization", "list", "--json"])).json).toEqual([organization]);
  expect(await readdir(folder)).toHaveLength(2);
});

async function signInByLink(service: RunningService): Promise<string> {
  const signedIn = await service.send("/console/api/session/link", {
    body: { token: service.signIn?.link.split("#token=")[1] },
    headers: { origin: service.apiAddress },
  });
  return signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

test("backup and restore reject impossible requests with advice, and leave nothing behind", async () => {
  const place = await placeForTest({ GATEHOUSE_DEMO: "off" });
  const file = path.join(place.dataDirectory, "backup.tar.gz");
  const refusal = async (
    commandArguments: string[],
    variables: Record<string, string> = {},
  ): Promise<string> => {
    const names = await readdir(place.dataDirectory);
    const refused = await gatehouse(commandArguments, { ...place.variables, ...variables });
    expect(refused.exitCode, refused.stderr).toBe(1);
    expect(refused.stdout).toBe("");
    expect(await readdir(place.dataDirectory)).toEqual(names);
    return refused.stderr;
  };
  expect(await refusal(["backup", file])).toContain("There is no database in");
  expect(await refusal(["backup"])).toContain("set GATEHOUSE_BACKUP_DIR");
  const folder = { GATEHOUSE_BACKUP_DIR: path.join(place.dataDirectory, "backups") };
  expect(await refusal(["backup"], folder)).toContain("There is no database in");

  await copyMadeDatabase(place.data);
  const service = await startService(place);
  expect((await place.gatehouse(["backup", file])).stderr).toBe("");
  expect(await refusal(["restore", file])).toMatch(/A service runs on .* Stop it/s);
  await stop(service);
  expect(await refusal(["restore", file])).toMatch(/is not empty.*mv /s);

  const elsewhere = { DATABASE_URL: "postgres://unknown@127.0.0.1:9/none" };
  for (const command of ["backup", "restore"])
    expect(await refusal([command, file], elsewhere)).toMatch(/DATABASE_URL is set.*embedded.*pg_dump/s);

  await rename(place.data, `${place.data}.old`);
  const { size } = await stat(file);
  expect(
    await refusal(["restore", await damaged(file, "cut", (copy) => copy.truncate(Math.floor(size / 3)))]),
  ).toContain("damaged: it is incomplete");
  const flip = async (copy: Awaited<ReturnType<typeof open>>): Promise<void> => {
    // Several bytes, because a single bit may only select another run of the same zeros, which restores the
    // same database.
    const { buffer } = await copy.read(Buffer.alloc(64), 0, 64, Math.floor(size / 3));
    await copy.write(
      buffer.map((byte) => byte ^ 0xff),
      0,
      64,
      Math.floor(size / 3),
    );
  };
  expect(await refusal(["restore", await damaged(file, "flipped", flip)])).toContain("is damaged");
});

test("a backup or a restore that runs out of space names the file, says what to do, and leaves nothing behind", async () => {
  const place = await placeForTest({ GATEHOUSE_DEMO: "off" }, newPlaceWithDatabase);
  await startForTest(place);
  const file = path.join(place.dataDirectory, "backup.tar.gz");
  /** The database server was started before, without this limit. Blocks have 512 or 1,024 bytes. */
  const withoutRoom = async (commandArguments: string[], variables = {}): Promise<string> => {
    const line = `ulimit -f 64; exec "$0" "$@"`;
    const running = promisify(execFile)(
      "sh",
      ["-c", line, process.execPath, place.program, ...commandArguments],
      {
        env: environment({ ...place.variables, ...variables }),
      },
    );
    const failure = await running.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stdout: "" });
    return (failure as { stderr: string }).stderr;
  };
  /** On one line, with the path of the file below the folder. */
  const fileIn = (line: string): string | undefined =>
    /^(.*) could not be written: .*\. The incomplete file was removed\. Free some space, .*\.\n$/
      .exec(line)?.[1]
      ?.replace(`${place.dataDirectory}/`, "");

  const names = await readdir(place.dataDirectory);
  expect(fileIn(await withoutRoom(["backup", file]))).toBe("backup.tar.gz");
  expect(await readdir(place.dataDirectory)).toEqual(names);
  const backups = path.join(place.dataDirectory, "backups");
  expect(fileIn(await withoutRoom(["backup"], { GATEHOUSE_BACKUP_DIR: backups }))).toMatch(
    /^backups\/gatehouse\..*\.tar\.gz$/,
  );
  expect(await readdir(backups)).toEqual([]);

  expect((await place.gatehouse(["backup", file])).stderr).toBe("");
  const restored = path.join(place.dataDirectory, "restored");
  expect(fileIn(await withoutRoom(["restore", file], { GATEHOUSE_DATA_DIR: restored }))).toMatch(
    /^restored\/./,
  );
  await expect(stat(restored)).rejects.toThrow("ENOENT");
});

/** A damaged copy of the file. */
async function damaged(
  file: string,
  name: string,
  damage: (copy: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
): Promise<string> {
  const target = `${file}.${name}`;
  const copy = await open(target, "w+");
  await copy.writeFile(await readFile(file));
  await damage(copy).finally(() => copy.close());
  return target;
}

test("files that root restores into a user's folder belong to the user, who can continue as an ordinary user", async () => {
  const isRoot = process.geteuid?.() === 0;
  const user = isRoot && (await isOpenToAll()) ? unprivilegedUser : undefined;
  const home = await mkdtemp(path.join(tmpdir(), "gatehouse-acceptance-"));
  const data = path.join(home, "data");
  const place = placeAt(home, { HOME: home });
  onTestFinished(() => leave(place));
  if (user) await chown(home, user.uid, user.gid);
  await chmod(home, 0o700);
  const file = path.join(home, "backup.tar.gz");
  const asUser = (...commandArguments: string[]) =>
    gatehouse([...commandArguments, "--json"], place.variables, { ...user, cwd: home });

  // Without a service: each command starts the database.
  await asUser("migrate");
  const { json: organization } = await asUser("organization", "create", "--name", "Kept");
  expect((await asUser("backup", file)).json).toMatchObject({ file });
  await rm(data, { recursive: true });
  await mkdir(data, { mode: 0o700 });
  if (user) await chown(data, user.uid, user.gid);
  expect((await place.gatehouse(["restore", file, "--json"])).json).toMatchObject({ dataDirectory: data });
  expect((await asUser("organization", "list")).json).toEqual([organization]);
});
