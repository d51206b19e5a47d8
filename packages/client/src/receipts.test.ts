import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as contract from "@gatehouse-parking/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashOfResults } from "../../service/src/features/receipts/signed-receipt.js";
import { repository } from "../testing/built-command.js";
import { isHere, languages, programFolder, readExample, runProgram } from "../testing/languages.js";
import { useLiveService } from "../testing/live-service.js";
import { runPush } from "../testing/run-push.js";
import { errorFromResponse } from "./error-responses.js";
import {
  checkReceipt,
  createClient,
  ReceiptError,
  type ImportRun,
  type ReceiptKeySet,
  type ReceiptProblem,
  type ReceiptToCheck,
} from "./index.js";
import { openTransport, type Transport } from "./push/transport.js";

const issuer = "https://gate.example.com";
const live = useLiveService({ receipts: true, publicUrl: issuer });
let transport: Transport;
beforeAll(async () => {
  transport = await openTransport({ caFile: live.caFile });
});
afterAll(() => transport.close());

async function vector(): Promise<ReceiptToCheck & { organizationUuid: string; answer: ImportRun }> {
  const text = await readFile(join(repository, "examples/receipt-vector.json"), "utf8");
  const { receipt, answer, keys, organizationUuid } = JSON.parse(text);
  return { receipt, answer, keys, organizationUuid };
}

async function publishedKeys(): Promise<ReceiptKeySet> {
  const answer = await transport.fetch(live.url + contract.receiptKeysPath, {});
  return JSON.parse(await answer.text()) as ReceiptKeySet;
}

function problemOf(check: () => unknown): ReceiptProblem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    return error.problem;
  }
}

test("the receipt of an import is valid offline, for the response and for the import read later", async () => {
  const { apiKey, organizationId, locationUuid } = await live.gatehouse.tenant();
  const client = createClient({ url: live.url, apiKey, fetch: transport.fetch });
  const records = [
    { tpReferenceId: "A-1", name: "Acme" },
    { tpReferenceId: "A-1", name: "Acme" },
    { tpReferenceId: "tab\tand\nline é", name: "Acme" },
    { tpReferenceId: "A-2", name: "" },
    { tpReferenceId: "3\tA-9", name: "Acme" },
  ];
  const { receipt = "", ...answer } = await client.importAccounts(records);
  const keys = await publishedKeys();
  const proven = checkReceipt({ receipt, answer, keys, organizationUuid: organizationId, issuer });
  expect(proven).toMatchObject({ referenceUuid: answer.referenceUuid, successCount: 3, iss: issuer });
  // The same line of text as the real result, made of fields that no real response has.
  const uuid = answer.results[4]?.uuid;
  const made = { status: 1, reasonCode: `-\t${uuid}`, uuid: "5", reference: "A-9" } as never;
  const forged = { ...answer, results: answer.results.with(4, made) };
  expect(problemOf(() => checkReceipt({ receipt, answer: forged, keys }))).toBe("otherResults");
  const later = await client.getImport(answer.referenceUuid);
  expect(later).toEqual(answer);
  expect(checkReceipt({ receipt, answer: later, keys })).toEqual(proven);

  for await (const { run } of client.importBatches("accounts", records)) {
    expect(run.receipt).toEqual(expect.any(String));
    expect(problemOf(() => checkReceipt({ receipt, answer: run, keys }))).toBe("otherRun");
  }
  const type = 1;
  const transactions = Array.from({ length: 101 }, (_, index) => ({
    ...{ transactionId: `T-${index}`, locationUuid, type, transactionDate: "yesterday" },
  })) as never[];
  const failed = await client.importTransactions(transactions);
  const kept = await client.getImport(failed.referenceUuid);
  const check = (run: ImportRun) => () => checkReceipt({ receipt: failed.receipt ?? "", answer: run, keys });
  expect([problemOf(check(failed)), problemOf(check(kept))]).toEqual([undefined, "resultsMissing"]);
  expect(await client.validateAccounts(records)).not.toHaveProperty("receipt");
});

test("gatehouse-push stores every receipt with its response, even when it starts over or was killed while writing one", async () => {
  const { apiKey, organizationId } = await live.gatehouse.tenant();
  const file = join(live.folder, "accounts.csv");
  const rows = Array.from({ length: 150 }, (_, index) => `A-${index},Acme`);
  await writeFile(file, `tpReferenceId,name\n${rows.join("\n")}\n`);
  const push = (...more: string[]) =>
    runPush(["accounts", file, "--url", live.url, "--ca", live.caFile, ...more], {
      environment: { GATEHOUSE_API_KEY: apiKey },
    });
  expect(await push()).toMatchObject({ code: 0 });
  const receipts = join(live.folder, "accounts.push/receipts.ndjson");
  await appendFile(receipts, '{"receipt":"eyJ');
  expect(await push("--restart")).toMatchObject({
    code: 0,
    out: expect.stringContaining(`  receipts     ${receipts}\n`),
  });
  const lines = (await readFile(receipts, "utf8")).trimEnd().split("\n");
  const keys = await publishedKeys();
  const proven = lines.toSpliced(2, 1).map((line) => {
    const kept = JSON.parse(line) as Pick<ReceiptToCheck, "receipt" | "answer">;
    return checkReceipt({ ...kept, keys, organizationUuid: organizationId });
  });
  expect(proven.map(({ successCount, skippedCount }) => [successCount, skippedCount])).toEqual([
    ...[
      [100, 0],
      [50, 0],
    ],
    ...[
      [0, 100],
      [0, 50],
    ],
  ]);
});

test("the error of a failed import contains its receipt", () => {
  const headers = new Headers({ [contract.receiptHeader]: "a.b.c" });
  const body = JSON.stringify({ referenceUuid: "r", results: [] });
  expect(errorFromResponse(500, headers, body)).toMatchObject({
    run: { referenceUuid: "r", receipt: "a.b.c" },
  });
});

describe("each invalid receipt is reported by the name of its problem", () => {
  type Kept = Awaited<ReturnType<typeof vector>>;
  const change = (kept: Kept, position: number, fields: object): Kept => ({
    ...kept,
    answer: {
      ...kept.answer,
      results: kept.answer.results.with(position, { ...kept.answer.results[position], ...fields } as never),
    },
  });
  const withHeader = ({ receipt, ...kept }: Kept, fields: object): Kept => {
    const [head = "", body, signature] = receipt.split(".");
    const header = JSON.parse(Buffer.from(head, "base64url").toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...header, ...fields })).toString("base64url");
    return { ...kept, receipt: `${other}.${body}.${signature}` };
  };
  const withKey = (kept: Kept, fields: object): Kept => ({
    ...kept,
    keys: { keys: kept.keys.keys.map((key) => ({ ...key, ...fields })) as ReceiptKeySet["keys"] },
  });
  const cases: [string, (kept: Kept) => ReceiptToCheck, ReceiptProblem | undefined][] = [
    ["nothing is wrong", (kept) => kept, undefined],
    ["null for what is absent", (kept) => change(kept, 0, { reasonCode: null }), undefined],
    ["other words", (kept) => change(kept, 2, { errorDetail: "" }), undefined],
    ["no text", (kept) => ({ ...kept, receipt: undefined as never }), "malformed"],
    ["a megabyte", (kept) => ({ ...kept, receipt: "eyJ.".repeat(262_144) }), "malformed"],
    ["a line break", (kept) => ({ ...kept, receipt: `${kept.receipt}\r\n` }), "malformed"],
    ["half of it", (kept) => ({ ...kept, receipt: kept.receipt.slice(0, 300) }), "malformed"],
    ["no JSON", (kept) => ({ ...kept, receipt: "AAAA.AAAA.AAAA" }), "malformed"],
    ["alg none", (kept) => withHeader(kept, { alg: "none" }), "unsupported"],
    ["alg HS256", (kept) => withHeader(kept, { alg: "HS256" }), "unsupported"],
    ["another kind of token", (kept) => withHeader(kept, { typ: "JWT" }), "unsupported"],
    ["what must be understood", (kept) => withHeader(kept, { crit: ["b64"], b64: false }), "unsupported"],
    ["a header of other words", (kept) => withHeader(kept, { more: 1 }), "badSignature"],
    ["a kid that is a path", (kept) => withHeader(kept, { kid: "../keys" }), "unknownKey"],
    ["keys that are none", (kept) => ({ ...kept, keys: { keys: [null as never] } }), "unknownKey"],
    ["no key set", (kept) => ({ ...kept, keys: {} as never }), "unknownKey"],
    ["a key of another installation", (kept) => withKey(kept, { x: "A".repeat(43) }), "badSignature"],
    ["a key of another curve", (kept) => withKey(kept, { crv: "Ed448" }), "unsupported"],
    ["a key that is none", (kept) => withKey(kept, { x: "short" }), "unsupported"],
    ["a key made later", (kept) => withKey(kept, { createdAt: "2027-01-01T00:00:00.000Z" }), "keyNotInUse"],
    [
      "a key retired before",
      (kept) => withKey(kept, { retiredAt: "2026-01-02T00:00:00.000Z" }),
      "keyNotInUse",
    ],
    [
      "another organization",
      (kept) => ({ ...kept, organizationUuid: kept.answer.referenceUuid }),
      "otherOrganization",
    ],
    ["another issuer", (kept) => ({ ...kept, issuer: "https://example.com" }), "otherIssuer"],
    ["another count", (kept) => ({ ...kept, answer: { ...kept.answer, skippedCount: 0 } }), "otherCounts"],
    ["another uuid", (kept) => change(kept, 0, { uuid: kept.answer.referenceUuid }), "otherResults"],
    ["another reference", (kept) => change(kept, 0, { reference: "T-1002" }), "otherResults"],
    ["another reason", (kept) => change(kept, 2, { reasonCode: 4 }), "otherResults"],
    [
      "a result that is none",
      (kept) => ({
        ...kept,
        answer: { ...kept.answer, results: kept.answer.results.with(0, null as never) },
      }),
      "otherResults",
    ],
    [
      "one result less",
      (kept) => ({ ...kept, answer: { ...kept.answer, results: kept.answer.results.slice(1) } }),
      "resultsMissing",
    ],
  ];
  test.each(cases)("%s", async (_what, alter, problem) => {
    const kept = alter(await vector());
    expect(problemOf(() => checkReceipt(kept))).toBe(problem);
  });
});

test("the Python lines of the guide compute the hash of the example, and of text that is not valid Unicode", async ({
  skip,
}) => {
  if (!(await isHere(languages.python))) skip(`${languages.python.needed} is not installed`);
  const guide = await readFile(join(repository, "docs/how-to/check-a-receipt.md"), "utf8");
  const code =
    guide
      .split("```python\n")
      .find((part) => part.includes("def hash_of"))
      ?.split("```")[0] ?? "";
  const { answer, receipt } = await vector();
  const odd = [{ reference: "\ud800 a \udc00\ud800", status: 4, reasonCode: 5 }] as never;
  const given = JSON.stringify([answer.results, odd]);
  const program = `${code}\nimport json, sys\nprint(*map(hash_of, json.loads(sys.argv[1])))`;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-receipts-"));
  const { out, error } = await runProgram(languages.python, program, { folder, programArguments: [given] });
  await rm(folder, { recursive: true });
  const { results } = JSON.parse(Buffer.from(receipt.split(".")[1] ?? "", "base64url").toString());
  expect(error).toBe("");
  expect(out.trim().split(" ")).toEqual([results, hashOfResults(odd)]);
});

test("the example of the guide stores a receipt and verifies it again", async () => {
  const { apiKey } = await live.gatehouse.tenant();
  const folder = await programFolder();
  const ended = await runProgram(languages.typescript, await readExample("typescript/check-receipt.ts"), {
    folder,
    programArguments: [join(folder, "acknowledged.json")],
    environment: { NODE_EXTRA_CA_CERTS: live.caFile, GATEHOUSE_URL: live.url, GATEHOUSE_API_KEY: apiKey },
  });
  await rm(folder, { recursive: true, force: true });
  expect(ended).toMatchObject({ exitCode: 0, error: "" });
  expect(ended.out).toMatch(/^run [0-9a-f-]{36} was acknowledged at 2/);
});
