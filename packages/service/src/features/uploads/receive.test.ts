import { randomUUID } from "node:crypto";
import { maxPieceRequestBytes, uploadPieceBytes } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { configure } from "../../../testing/retention.js";
import { uploader } from "../../../testing/uploader.js";
import { measureStorage } from "../retention/storage.js";
import { maxUploads } from "./limits.js";

const megabyte = 1024 * 1024;
const gatehouse = useApp({ uploadBytes: 8 * megabyte, uploadStorageBytes: 12 * megabyte });

test("a file arrives in parts, in whatever of them are sent twice, and is compared at the end", async () => {
  const by = await uploader(gatehouse);
  const content = Buffer.alloc(5 * megabyte + 17, "abcdefg");
  const { uuid } = (await by.create("big.csv", content.length)).json;
  const part = (offset: number, length: number) =>
    by.sendPart(uuid, offset, content.subarray(offset, offset + length));
  expect((await part(0, megabyte)).json).toEqual({ receivedBytes: megabyte });
  // The answer was lost, and more than before comes with the second try.
  expect((await part(0, megabyte)).json).toEqual({ receivedBytes: megabyte });
  expect((await part(0, 3 * megabyte)).json).toEqual({ receivedBytes: 3 * megabyte });
  // Another page asks where to go on.
  expect(await by.show(uuid)).toMatchObject({ state: "receiving", receivedBytes: 3 * megabyte });
  expect((await by.complete(uuid, content)).status).toBe(409);
  expect((await part(3 * megabyte, maxPieceRequestBytes)).json).toEqual({ receivedBytes: content.length });
  expect((await by.complete(uuid, content)).json).toMatchObject({ state: "received" });
  expect((await by.complete(uuid, content)).json).toMatchObject({ state: "received" });
  const { rows } = await gatehouse.database.work.query(
    "select content from upload_pieces where upload_id = $1 order by byte_offset",
    [uuid],
  );
  expect(Buffer.concat(rows.map((row) => row.content)).equals(content)).toBe(true);
});

test("two parts for the same place at the same moment are stored once", async () => {
  const by = await uploader(gatehouse);
  const content = Buffer.alloc(2 * megabyte, "x");
  const { uuid } = (await by.create("twice.csv", content.length)).json;
  const answers = await Promise.all([by.sendPart(uuid, 0, content), by.sendPart(uuid, 0, content)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await by.complete(uuid, content)).status).toBe(200);
});

test("a gap, a part that fits nowhere and one that is too long are refused, and change nothing", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = (await by.create("file.csv", 3 * megabyte)).json;
  const bytes = Buffer.alloc(megabyte);
  const gap = await by.sendPart(uuid, megabyte, bytes);
  expect(gap.json).toMatchObject({
    code: "conflict",
    errors: ["Of this file, 0 bytes are here: go on there"],
  });
  const refused = [
    [1, bytes, /multiple of 1048576/],
    [0, Buffer.alloc(17), /multiple of 1048576 bytes, or end with the file/],
    [0, Buffer.alloc(0), /must hold a part/],
    [2 * megabyte, Buffer.alloc(2 * megabyte), /announced with 3145728 bytes/],
  ] as const;
  for (const [offset, part, says] of refused) {
    const { status, json } = await by.sendPart(uuid, offset, part);
    expect({ status, code: json.code }).toEqual({ status: 400, code: "invalid" });
    expect(json.errors[0]).toMatch(says);
  }
  expect((await by.sendPart(uuid, 0, Buffer.alloc(maxPieceRequestBytes + 1))).status).toBe(413);
  expect(await by.show(uuid)).toMatchObject({ receivedBytes: 0, state: "receiving" });
});

test("parts of another file are noticed at the end", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = (await by.create("file.csv", 2 * uploadPieceBytes)).json;
  await by.sendPart(uuid, 0, Buffer.alloc(uploadPieceBytes, "a"));
  await by.sendPart(uuid, uploadPieceBytes, Buffer.alloc(uploadPieceBytes, "b"));
  const answer = await by.complete(uuid, Buffer.alloc(2 * uploadPieceBytes, "a"));
  expect(answer.json).toMatchObject({ code: "conflict" });
  expect(answer.json.errors[0]).toContain("parts of another one");
  expect(await by.show(uuid)).toMatchObject({ state: "receiving" });
});

test("a part is taken as bytes only", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = (await by.create("file.csv", 2)).json;
  const answer = await by.person.post(`${by.uploads}/${uuid}/pieces?offset=0`, "{}");
  expect(answer.json).toMatchObject({ code: "unsupportedMediaType" });
});

test("size, storage and number of uploads have limits, which are told", async () => {
  const by = await uploader(gatehouse);
  const tooLarge = await by.create("large.csv", 8 * megabyte + 1);
  expect(tooLarge.json).toMatchObject({ code: "conflict" });
  expect(tooLarge.json.errors[0]).toMatch(/at most 8.0 MB/);
  // What is announced takes room at once: otherwise all would be let in, and none could be received.
  const first = (await by.create("first.csv", 8 * megabyte)).json;
  const second = await by.create("second.csv", 5 * megabyte);
  expect(second.json.errors[0]).toMatch(/take 8.0 MB of 12.0 MB/);
  const storage = `/organizations/${by.organizationId}/upload-storage`;
  expect((await by.person.get(storage)).json).toMatchObject({
    storedBytes: 8 * megabyte,
    maxStoredBytes: 12 * megabyte,
    maxFileBytes: 8 * megabyte,
    uploads: 1,
    maxUploads,
    keptDays: 7,
    pieceBytes: uploadPieceBytes,
    maxRequestBytes: maxPieceRequestBytes,
  });
  expect((await by.act(first.uuid, "cancel")).json).toMatchObject({ state: "cancelled", isFileKept: false });
  expect((await by.create("second.csv", 5 * megabyte)).status).toBe(200);
  await gatehouse.database.work.query(
    `insert into uploads (organization_id, id, file_name, size_bytes, resource, created_by)
     select $1, gen_random_uuid(), 'x', 1, 1, 'test' from generate_series(3, $2::int)`,
    [by.organizationId, maxUploads],
  );
  const beyond = await by.create("beyond.csv", 1);
  expect(beyond.json.errors[0]).toMatch(/has 100 uploads, and may have 100/);
  // Another organization has limits of its own.
  expect((await (await uploader(gatehouse)).create("other.csv", 8 * megabyte)).status).toBe(200);
});

test("a file for which the organization's quota of storage has no room is not taken", async () => {
  const by = await uploader(gatehouse);
  await configure(gatehouse, by, { quotas: { storageBytes: 2 * megabyte } });
  await measureStorage(gatehouse.database.console, by.organizationId);
  const refused = await by.create("large.csv", 2 * megabyte + 1);
  expect(refused.json).toMatchObject({
    code: "conflict",
    errors: [
      "The organization may store 2,097,152 bytes of storage. It stores 0, and this file would add 2,097,153",
    ],
  });
  expect((await by.create("small.csv", 2 * megabyte)).status).toBe(200);
});

test("of many that ask for the last room at the same moment, one has it", async () => {
  const by = await uploader(gatehouse);
  const answers = await Promise.all(Array.from({ length: 4 }, () => by.create("file.csv", 7 * megabyte)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test("the same announcement again, by its token, makes no second upload", async () => {
  const by = await uploader(gatehouse);
  const token = randomUUID();
  const wanted = { fileName: "once.csv", size: 5, resource: "transactions" };
  const [one, other] = [
    await by.person.post(by.uploads, wanted, token),
    await by.person.post(by.uploads, wanted, token),
  ];
  expect(other.json).toEqual(one.json);
  expect((await by.person.get(by.uploads)).json.data).toHaveLength(1);
});

test("uploads are listed newest first, and from a cursor on", async () => {
  const by = await uploader(gatehouse);
  for (const name of ["a.csv", "b.csv", "c.csv"]) await by.create(name, 1);
  const first = (await by.person.get(`${by.uploads}?limit=2`)).json;
  expect(first.data.map((upload: { fileName: string }) => upload.fileName)).toEqual(["c.csv", "b.csv"]);
  const rest = (await by.person.get(`${by.uploads}?limit=2&before=${first.nextCursor}`)).json;
  expect(rest).toMatchObject({ data: [{ fileName: "a.csv" }], nextCursor: null });
});

test("a viewer looks and does nothing; nobody reaches the uploads of another organization", async () => {
  const by = await uploader(gatehouse);
  const uuid = await by.receive("transactionId\nT-1\n");
  const viewer = await uploader(gatehouse, "viewer");
  const answers = [
    await viewer.create("file.csv", 1),
    await viewer.sendPart(uuid, 0, Buffer.from("x")),
    await viewer.start(uuid),
    await viewer.act(uuid, "cancel"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  const stranger = await uploader(gatehouse);
  expect((await stranger.sendPart(uuid, 0, Buffer.from("x"))).status).toBe(404);
  expect((await stranger.start(uuid)).status).toBe(404);
  expect((await stranger.person.get(`${by.uploads}/${uuid}`)).status).toBe(404);
  expect((await stranger.person.delete(`${stranger.uploads}/${uuid}`)).status).toBe(404);
  expect(await by.show(uuid)).toMatchObject({ state: "received" });
});
