import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, afterEach, beforeEach } from "vitest";
import { openSecret, sealSecret, loadSecretKey, secretKeySource } from "./secrets.js";

const key = randomBytes(32);
const organizationId = randomUUID();

test("a secret can be decrypted, and each encryption of it is different", () => {
  const first = sealSecret(key, organizationId, "6Lc-secret-ü");
  const second = sealSecret(key, organizationId, "6Lc-secret-ü");
  expect(openSecret(key, organizationId, first)).toBe("6Lc-secret-ü");
  expect(first.equals(second)).toBe(false);
  expect(first.includes(Buffer.from("6Lc-secret"))).toBe(false);
});

test("a wrong key, owner or purpose and any flipped bit are detected", () => {
  const sealed = sealSecret(key, organizationId, "secret");
  expect(() => openSecret(randomBytes(32), organizationId, sealed)).toThrow(
    "does not open with this secret key",
  );
  expect(() => openSecret(key, randomUUID(), sealed)).toThrow("does not open with this secret key");
  expect(() => openSecret(key, organizationId, sealed, "second factor")).toThrow(
    "does not open with this secret key",
  );
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] as number) ^ 1;
    expect(() => openSecret(key, organizationId, altered), `byte ${at}`).toThrow(
      "does not open with this secret key",
    );
  }
  expect(() => openSecret(key, organizationId, sealed.subarray(0, 10))).toThrow(
    "does not open with this secret key",
  );
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-secret-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("the operator's key is used, and no file is created", async () => {
  const secretKey = Buffer.alloc(32, 1);
  expect(await loadSecretKey({ secretKey, dataDirectory: folder })).toBe(secretKey);
  expect(await readdir(folder)).toEqual([]);
});

test("without an operator's key, a key file is created once, readable only by its owner", async () => {
  const dataDirectory = path.join(folder, "not", "there", "yet");
  const first = await loadSecretKey({ secretKey: undefined, dataDirectory });
  const file = path.join(dataDirectory, "secret.key");
  expect(first).toHaveLength(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(file, "utf8"), "base64")).toEqual(first);
  expect(await loadSecretKey({ secretKey: undefined, dataDirectory })).toEqual(first);
  expect(await readdir(dataDirectory)).toEqual(["secret.key"]);
});

test("processes that create the key file at the same moment use the same key", async () => {
  const config = { secretKey: undefined, dataDirectory: folder };
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey(config)));
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
  expect(await readdir(folder)).toEqual(["secret.key"]);
});

test("the key is created when a secret is first stored, and an unusable folder is named with advice", async () => {
  const dataDirectory = path.join(folder, "data");
  const source = secretKeySource({ secretKey: undefined, dataDirectory });
  expect(await readdir(folder)).toEqual([]);
  // A folder cannot be created below a file, not even by root.
  await writeFile(dataDirectory, "");
  await expect(source.findOrMake()).rejects.toThrow(
    /No secret key can be kept in .*secret\.key.*Set GATEHOUSE_SECRET_KEY/,
  );
  await rm(dataDirectory);
  const [one, other] = await Promise.all([source.findOrMake(), source.findOrMake()]);
  expect(one).toEqual(other);
  expect(await source.find()).toEqual(one);
  expect(await readdir(dataDirectory)).toEqual(["secret.key"]);
});

test("no key is created to decrypt a stored secret, because a new key would not decrypt it", async () => {
  const source = secretKeySource({ secretKey: undefined, dataDirectory: folder });
  await expect(source.find()).rejects.toThrow(/There is no secret key: neither GATEHOUSE_SECRET_KEY nor /);
  expect(await readdir(folder)).toEqual([]);
});

test("a damaged key file is reported and never replaced", async () => {
  const file = path.join(folder, "secret.key");
  await writeFile(file, "short");
  await expect(loadSecretKey({ secretKey: undefined, dataDirectory: folder })).rejects.toThrow(
    /does not hold 32 bytes/,
  );
  expect(await readFile(file, "utf8")).toBe("short");
});
