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

test("a file is received in parts, some sent twice, and compared with its checksum", async () => {
  const by = await uploader(gatehouse);
  const content = Buffer.alloc(5 * megabyte + 17, "abcdefg");
  const { uuid } = (await by.create("big.csv", content.length)).json;
  const part = (offset: number, length: number) =>
    by.sendPart(uuid, offset, content.subarray(offset, offset + length));
  expect((await part(0, megabyte)).json).toEqual({ receivedBytes: megabyte });
  // The first answer was lost, and the second attempt sends more bytes.
  expect((await part(0, megabyte)).json).toEqual({ receivedBytes: megabyte });
  expect((await part(0, 3 * megabyte)).json).toEqual({ receivedBytes: 3 * megabyte });
  // Another page asks for the offset to continue at.
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

test("two concurrent parts at the same offset are stored once", async () => {
  const by = await uploader(gatehouse);
  const content = Buffer.alloc(2 * megabyte, "x");
  const { uuid } = (await by.create("twice.csv", content.length)).json;
  const answers = await Promise.all([by.sendPart(uuid, 0, content), by.sendPart(uuid, 0, content)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await by.complete(uuid, content)).status).toBe(200);
});

test("a gap, a misaligned part and a part that is too long are rejected and change nothing", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = (await by.create("file.csv", 3 * megabyte)).json;
  const bytes = Buffer.alloc(megabyte);
  const gap = await by.sendPart(uuid, megabyte, bytes);
  expect(gap.json).toMatchObject({
    code: "conflict",
    errors: ["0 bytes of this file are stored. Continue from there"],
  });
  const refused = [
    [1, bytes, /multiple of 1048576/],
    [0, Buffer.alloc(17), /multiple of 1048576 bytes, except for the last part/],
    [0, Buffer.alloc(0), /must contain a part/],
    [2 * megabyte, Buffer.alloc(2 * megabyte), /size of the file is 3145728 bytes/],
  ] as const;
  for (const [offset, part, says] of refused) {
    const { status, json } = await by.sendPart(uuid, offset, part);
    expect({ status, code: json.code }).toEqual({ status: 400, code: "invalid" });
    expect(json.errors[0]).toMatch(says);
  }
  expect((await by.sendPart(uuid, 0, Buffer.alloc(maxPieceRequestBytes + 1))).status).toBe(413);
  expect(await by.show(uuid)).toMatchObject({ receivedBytes: 0, state: "receiving" });
});

test("a checksum mismatch is reported when the upload is completed", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = (await by.create("file.csv", 2 * uploadPieceBytes)).json;
  await by.sendPart(uuid, 0, Buffer.alloc(uploadPieceBytes, "a"));
  await by.sendPart(uuid, uploadPieceBytes, Buffer.alloc(uploadPieceBytes, "b"));
  const answer = await by.complete(uuid, Buffer.alloc(2 * uploadPieceBytes, "a"));
  expect(answer.json).toMatchObject({ code: "conflict" });
  expect(answer.json.errors[0]).toContain("do not match the checksum");
  expect(await by.show(uuid)).toMatchObject({ state: "receiving" });
});

test("a part must be sent as application/octet-stream", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = (await by.create("file.csv", 2)).json;
  const answer = await by.person.post(`${by.uploads}/${uuid}/pieces?offset=0`, "{}");
  expect(answer.json).toMatchObject({ code: "unsupportedMediaType" });
});

test("the size, storage and number of uploads are limited, and errors state the limits", async () => {
  const by = await uploader(gatehouse);
  const tooLarge = await by.create("large.csv", 8 * megabyte + 1);
  expect(tooLarge.json).toMatchObject({ code: "conflict" });
  expect(tooLarge.json.errors[0]).toMatch(/larger than 8.0 MB/);
  // The announced size is reserved at once: otherwise all uploads would be admitted, and none completed.
  const first = (await by.create("first.csv", 8 * megabyte)).json;
  const second = await by.create("second.csv", 5 * megabyte);
  expect(second.json.errors[0]).toMatch(/use 8.0 MB of 12.0 MB/);
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
  expect(beyond.json.errors[0]).toMatch(/has 100 uploads, which is the maximum/);
  // Other organizations have separate limits.
  expect((await (await uploader(gatehouse)).create("other.csv", 8 * megabyte)).status).toBe(200);
});

test("a file that exceeds the organization's storage quota is rejected", async () => {
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

test("one of many concurrent requests gets the last free storage", async () => {
  const by = await uploader(gatehouse);
  const answers = await Promise.all(Array.from({ length: 4 }, () => by.create("file.csv", 7 * megabyte)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test("a repeated create request with the same token creates one upload", async () => {
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

test("uploads are listed newest first, with a cursor", async () => {
  const by = await uploader(gatehouse);
  for (const name of ["a.csv", "b.csv", "c.csv"]) await by.create(name, 1);
  const first = (await by.person.get(`${by.uploads}?limit=2`)).json;
  expect(first.data.map((upload: { fileName: string }) => upload.fileName)).toEqual(["c.csv", "b.csv"]);
  const rest = (await by.person.get(`${by.uploads}?limit=2&before=${first.nextCursor}`)).json;
  expect(rest).toMatchObject({ data: [{ fileName: "a.csv" }], nextCursor: null });
});

test("a viewer can only read, and the uploads of another organization are not found", async () => {
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
