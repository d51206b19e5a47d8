import { maxPieceRequestBytes, permissions, uploadPieceBytes } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { partnerUploads } from "../../../testing/partner-uploads.js";
import { digestOf, uploaderOf } from "../../../testing/uploader.js";
import { createApiKey, revokeApiKey } from "../../core/organizations/api-keys.js";

const gatehouse = useApp();
const mapping = {
  columns: { Ticket: "transactionId", Garage: "locationUuid", Kind: "type", At: "transactionDate" },
};
const header = "Ticket,Garage,Kind,At\n";
const line = ({ locationUuid }: Tenant, id: string, kind = "1") =>
  `${id},${locationUuid},${kind},2026-04-01T14:30:00Z\n`;
const announced = { fileName: "sessions.csv", size: 10, resource: "transactions" };

async function partner() {
  const tenant = await gatehouse.tenant();
  return { ...tenant, ...partnerUploads(gatehouse, tenant.apiKey) };
}

test("a file goes from its announcement to the outcomes of its rows, with an API key alone", async () => {
  const by = await partner();
  const content = header + line(by, "T-1") + line(by, "T-2", "9") + line(by, "T-3");
  const uuid = await by.receive(content, { reference: "nightly" });

  const checked = await by.start(uuid, {
    validateOnly: true,
    mapping,
    sha256: digestOf(Buffer.from(content)),
  });
  expect(checked.json).toMatchObject({ state: "waiting", pass: "check", createdBy: "API key test" });
  await gatehouse.app.uploads.runUntilIdle();
  expect((await by.get(uuid)).json).toMatchObject({ state: "finished", created: 2, failed: 1, totalRows: 3 });
  expect((await by.ask("GET", "/imports")).json.totalCount).toBe(0);

  await by.start(uuid, { validateOnly: false, mapping });
  await gatehouse.app.uploads.runUntilIdle();
  const ended = (await by.get(uuid)).json;
  expect(ended).toMatchObject({ state: "finished", pass: "import", created: 2, failed: 1, mapping });
  expect(ended.problems).toMatchObject([{ field: "type", count: 1, line: 3 }]);
  expect((await by.ask("GET", "/imports")).json.totalCount).toBe(1);

  const first = (await by.ask("GET", `/uploads/${uuid}/outcomes?limit=2`)).json;
  expect(first.data).toEqual([
    { row: 1, line: 2, reference: "T-1", status: 1, uuid: expect.any(String) },
    {
      row: 2,
      line: 3,
      reference: "T-2",
      status: 4,
      reasonCode: 5,
      errorDetail: expect.stringContaining("type"),
    },
  ]);
  const last = (await by.ask("GET", `/uploads/${uuid}/outcomes?after=${first.nextAfter}`)).json;
  expect(last).toMatchObject({ data: [{ row: 3, reference: "T-3" }], nextAfter: null });
  const failed = (await by.ask("GET", `/uploads/${uuid}/outcomes?status=4`)).json;
  expect(failed.data.map(({ row }: { row: number }) => row)).toEqual([2]);

  const csv = await by.ask("GET", `/uploads/${uuid}/failures.csv`);
  expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [names, row] = csv.text.replace("\uFEFF", "").split("\r\n");
  expect(names).toBe("Ticket,Garage,Kind,At,failure.line,failure.code,failure.name,failure.detail");
  expect(row).toContain(`T-2,${by.locationUuid},9,2026-04-01T14:30:00Z,3,5,ValidationFailed`);

  expect((await by.ask("GET", "/uploads?state=finished&reference=nightly")).json).toMatchObject({
    data: [{ uuid, fileName: "sessions.csv", reference: "nightly" }],
    totalCount: 1,
    currentPage: 1,
  });
  expect((await by.ask("DELETE", `/uploads/${uuid}`)).json).toMatchObject({ uuid, state: "finished" });
  expect((await by.get(uuid)).status).toBe(404);
});

test("a saved mapping is used by its name, whatever its case, and only for its resource", async () => {
  const by = await partner();
  const { person } = await uploaderOf(gatehouse, by, "admin");
  const saved = { name: "Garage system", resource: "transactions", columns: ["Ticket"], mapping };
  await person.post(`/organizations/${by.organizationId}/mappings`, saved);
  expect((await by.ask("GET", "/mappings?resource=transactions")).json).toMatchObject({
    data: [{ name: "Garage system", resource: "transactions" }],
    totalCount: 1,
  });
  expect((await by.ask("GET", "/mappings?resource=accounts")).json).toMatchObject({
    data: [],
    totalPages: 0,
  });

  const uuid = await by.receive(header + line(by, "T-1"));
  const start = (body: object) => by.start(uuid, { validateOnly: false, ...body });
  expect((await start({ mappingName: "Other" })).json.errors).toEqual(["There is no mapping named Other"]);
  expect((await start({ mappingName: "garage SYSTEM", mapping })).json.errors).toEqual([
    "Send either mappingName or mapping, not both",
  ]);
  const accounts = await by.receive("a\n", { fileName: "accounts.csv", resource: "accounts" });
  const wrong = await by.start(accounts, { validateOnly: false, mappingName: "garage SYSTEM" });
  expect(wrong).toMatchObject({ status: 400, headers: { "x-error": "bodyInvalid" } });
  expect((await start({ mappingName: "garage SYSTEM" })).json).toMatchObject({ state: "waiting" });
  await gatehouse.app.uploads.runUntilIdle();
  expect((await by.get(uuid)).json).toMatchObject({ created: 1, mapping });
});

test("an import by a mapping with open questions is refused with their list; a check is not", async () => {
  const by = await partner();
  const uuid = await by.receive(header + line(by, "T-1"));
  const question = {
    ...{ id: "kind", kind: "question", code: "kind", data: {}, text: "What does 1 mean?", rows: 1 },
    ...{ samples: ["1"], choices: [{ id: "same", patch: {}, gives: ["Transient"] }] },
  };
  const asking = { ...mapping, questions: [question] };
  expect(await by.start(uuid, { validateOnly: false, mapping: asking })).toMatchObject({
    status: 400,
    headers: { "x-error": "openQuestions" },
    json: { errors: ["kind: What does 1 mean?"] },
  });
  expect((await by.start(uuid, { validateOnly: true, mapping: asking })).status).toBe(200);
  await gatehouse.app.uploads.runUntilIdle();
  const answered = { ...asking, answers: { kind: "same" } };
  expect((await by.start(uuid, { validateOnly: false, mapping: answered })).status).toBe(200);
});

test("announcing a file again under its reference returns the same upload; another file is refused", async () => {
  const by = await partner();
  const body = { ...announced, reference: "nightly" };
  const answers = await Promise.all([by.create(body), by.create(body), by.create(body)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ json }) => json.uuid)).size).toBe(1);
  const other = await by.create({ ...body, size: 11 });
  expect(other).toMatchObject({ status: 409, headers: { "x-error": "conflict" } });
  expect(other.json.errors[0]).toContain("another file name, size or resource");
  expect((await by.create(announced)).json.uuid).not.toBe(answers[0].json.uuid);
  // Another organization may use the same reference.
  expect((await (await partner()).create(body)).json.uuid).not.toBe(answers[0].json.uuid);
});

test("a piece can be sent again; a piece after a gap is answered with where to continue", async () => {
  const by = await partner();
  const bytes = Buffer.alloc(2 * uploadPieceBytes + 5, "x");
  const { uuid } = (await by.create({ ...announced, size: bytes.length })).json;
  const first = bytes.subarray(0, uploadPieceBytes);
  for (let time = 0; time < 2; time += 1)
    expect((await by.send(uuid, 0, first)).json).toEqual({ receivedBytes: uploadPieceBytes });
  const gap = await by.send(uuid, 2 * uploadPieceBytes, bytes.subarray(2 * uploadPieceBytes));
  expect(gap).toMatchObject({
    status: 409,
    headers: { "x-error": "conflict", "upload-offset": String(uploadPieceBytes) },
    json: { success: false, errors: [expect.stringContaining("Continue from there")] },
  });
  const early = await by.start(uuid, { validateOnly: true });
  expect(early.json.errors).toEqual([`${uploadPieceBytes} of ${bytes.length} bytes of this file are stored`]);
  expect((await by.send(uuid, uploadPieceBytes, bytes.subarray(uploadPieceBytes))).json).toEqual({
    receivedBytes: bytes.length,
  });
  const wrongFile = await by.start(uuid, { validateOnly: true, sha256: "0".repeat(64) });
  expect(wrongFile).toMatchObject({ status: 409 });
  expect(wrongFile.json.errors[0]).toContain("do not match the checksum");
});

test("invalid requests are refused with what is wrong, in the envelope of the interface", async () => {
  const by = await partner();
  const { uuid } = (await by.create(announced)).json;
  const whole = await by.receive("0123456789");
  const refused: [
    Promise<{ status: number; headers: Record<string, string | undefined> }>,
    number,
    string,
  ][] = [
    [by.create({ ...announced, size: 0 }), 400, "bodyInvalid"],
    [by.create({ ...announced, size: 1e12 }), 409, "conflict"],
    [by.create({ ...announced, resource: "leads" }), 400, "bodyInvalid"],
    [by.create({ ...announced, fileName: " " }), 400, "bodyInvalid"],
    [by.create({ ...announced, reference: "x".repeat(129) }), 400, "bodyInvalid"],
    [by.create({ ...announced, reference: "a\u0000b" }), 400, "bodyInvalid"],
    [by.send(uuid, 1, "0123456789"), 400, "bodyInvalid"],
    [by.send(uuid, "x", "0123456789"), 400, "bodyInvalid"],
    [by.send(uuid, 0, ""), 400, "bodyInvalid"],
    [by.send(uuid, 0, "0123456789abc"), 400, "bodyInvalid"],
    [by.send(uuid, 0, "0123456789", "text/csv"), 415, "unsupportedMediaType"],
    [by.send(uuid, 0, Buffer.alloc(maxPieceRequestBytes + 1)), 413, "bodyTooLarge"],
    [by.start(uuid, {}), 400, "bodyInvalid"],
    [by.start(whole, { validateOnly: true, mapping: { columns: 1 } }), 400, "bodyInvalid"],
    [by.start(whole, { validateOnly: true, mapping: [] }), 400, "bodyInvalid"],
    [by.ask("GET", "/uploads?state=lost"), 400, "bodyInvalid"],
    [by.ask("GET", `/uploads/${uuid}/outcomes?status=1`), 400, "bodyInvalid"],
    [gatehouse.post("/integrations/uploads", by.apiKey, "{"), 400, "bodyMalformed"],
    [
      gatehouse.post("/integrations/uploads", by.apiKey, Buffer.from([0x7b, 0xff, 0x7d])),
      400,
      "bodyMalformed",
    ],
  ];
  for (const [answer, status, error] of refused)
    expect(await answer).toMatchObject({ status, headers: { "x-error": error } });
  expect((await by.get(uuid)).json).toMatchObject({ state: "receiving", receivedBytes: 0 });
});

test("a key needs the permission for uploads, and the one to write the resource", async () => {
  const { organizationId } = await gatehouse.tenant();
  const keyWith = async (chosen: readonly string[]) => {
    const { key } = await createApiKey(gatehouse.database.work, {
      ...{ organizationId, name: "narrow", permissions: chosen, actor: "test" },
    });
    return partnerUploads(gatehouse, key);
  };
  const without = await keyWith(permissions.filter((permission) => permission !== "uploads:write"));
  for (const answer of [await without.create(announced), await without.ask("GET", "/mappings")])
    expect(answer).toMatchObject({
      status: 403,
      json: { errors: ["The key needs the permission uploads:write"] },
    });

  const uploadsOnly = await keyWith(["uploads:write"]);
  const refusal = { status: 403, json: { errors: ["The key needs the permission transactions:write"] } };
  expect(await uploadsOnly.create(announced)).toMatchObject(refusal);
  const both = await keyWith(["uploads:write", "transactions:write"]);
  const uuid = await both.receive("0123456789");
  expect(await uploadsOnly.start(uuid, { validateOnly: true })).toMatchObject(refusal);
});

test("the uploads of another organization are answered like absent ones", async () => {
  const by = await partner();
  const other = await partner();
  const uuid = await by.receive("0123456789");
  const absent = "0198f2d0-7a10-7c21-8f0a-51b7c2d3e4f5";
  for (const [method, path, body] of [
    ["GET", "", undefined],
    ["GET", "/outcomes", undefined],
    ["GET", "/failures.csv", undefined],
    ["POST", "/start", { validateOnly: true }],
    ["POST", "/cancel", undefined],
    ["DELETE", "", undefined],
  ] as const) {
    const answers = [uuid, absent, "not-a-uuid"].map((one) =>
      other.ask(method, `/uploads/${one}${path}`, body),
    );
    const bodies = (await Promise.all(answers)).map(({ status, json }) => ({
      ...json,
      status,
      timestamp: "",
    }));
    expect(bodies[0], path).toMatchObject({ status: 404 });
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size, path).toBe(1);
  }
  expect((await other.send(uuid, 0, "0123456789")).status).toBe(404);
  expect((await other.ask("GET", "/uploads")).json).toMatchObject({ data: [], totalCount: 0 });
  expect((await by.get(uuid)).json).toMatchObject({ state: "receiving" });
});

test("a revoked key stops at its next request; another key of the organization continues", async () => {
  const { organizationId } = await gatehouse.tenant();
  const pool = gatehouse.database.work;
  const create = () => createApiKey(pool, { organizationId, name: "one of two", permissions, actor: "test" });
  const [first, second] = [await create(), await create()];
  const by = partnerUploads(gatehouse, first.key);
  const { uuid } = (await by.create(announced)).json;
  await revokeApiKey(pool, { keyId: first.uuid, actor: "test" });
  for (const answer of [await by.send(uuid, 0, "0123456789"), await by.start(uuid, { validateOnly: true })])
    expect(answer).toMatchObject({ status: 401, headers: { "x-error": "keyInvalid" } });
  const next = partnerUploads(gatehouse, second.key);
  expect((await next.get(uuid)).json).toMatchObject({ receivedBytes: 0 });
  expect((await next.send(uuid, 0, "0123456789")).json).toEqual({ receivedBytes: 10 });
});

test("a repeated start changes nothing, and an upload that runs can be cancelled but not removed", async () => {
  const by = await partner();
  const uuid = await by.receive(header + line(by, "T-1"));
  const start = () => by.start(uuid, { validateOnly: false, mapping });
  const first = await start();
  expect(await start()).toMatchObject({ status: 200, json: first.json });
  expect((await by.start(uuid, { validateOnly: true, mapping })).json.errors).toEqual([
    "The upload is queued",
  ]);
  expect(await by.ask("DELETE", `/uploads/${uuid}`)).toMatchObject({ status: 409 });
  expect((await by.ask("POST", `/uploads/${uuid}/cancel`)).json).toMatchObject({ state: "cancelled" });
  await gatehouse.app.uploads.runUntilIdle();
  expect((await by.get(uuid)).json).toMatchObject({ state: "cancelled", created: 0, isFileKept: false });
  expect((await start()).json.errors).toEqual(["The upload was cancelled"]);
});

test("the audit log names the key and its address", async () => {
  const by = await partner();
  const uuid = await by.receive(header + line(by, "T-1"));
  await by.start(uuid, { validateOnly: true, mapping });
  await by.ask("POST", `/uploads/${uuid}/cancel`);
  await by.ask("DELETE", `/uploads/${uuid}`);
  const { rows } = await gatehouse.database.work.query(
    "select action, actor, address from audit_log where organization_id = $1 and subject_id = $2 order by id",
    [by.organizationId, uuid],
  );
  expect(rows).toEqual(
    ["create", "start", "cancel", "remove"].map((action) => ({
      action: `upload.${action}`,
      actor: "API key test",
      address: "127.0.0.1",
    })),
  );
});

test("a finished upload without a file can be listed and read, but not started", async () => {
  const by = await partner();
  const uuid = await by.receive(header + line(by, "T-1"));
  await by.start(uuid, { validateOnly: false, mapping });
  await gatehouse.app.uploads.runUntilIdle();
  const again = await by.start(uuid, { validateOnly: true, mapping });
  expect(again).toMatchObject({ status: 409 });
});
