import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isLong } from "../../../../testing/seed.js";
import type { Tenant } from "../../../service/testing/harness.js";
import { buildCommand, startPush, type Ended } from "../../testing/built-command.js";
import { useLiveService } from "../../testing/live-service.js";
import { readResults } from "../../testing/run-push.js";

// The published limits: 60 requests per minute, so all batches and a few resends fit into one window.
const live = useLiveService({ limits: {} });
beforeAll(buildCommand, 120_000);

const recordCount = isLong ? 20_000 : 6_000;
const batchSize = 500;
/**
 * After how many responses the command is killed, three times. No batch that is resent contains a record that
 * fails before another record with its ID is stored; when resent, it would be Skipped instead.
 */
const kills = isLong ? [7, 12, 15] : [3, 4, 2];
const unknownLocation = "00000000-0000-4000-8000-000000000000";

/** Rows of a careless export: every kind of error, and duplicates near and far, at fixed positions. */
function rowsWithFaults(locationUuid: string): string {
  const columns =
    "transactionId,locationUuid,type,transactionDate,amountTotal,isRefunded,contact.email,vehicle.licensePlate,vehicle.year,account.tpReferenceId,account.name,metadata.till";
  const lines = Array.from({ length: recordCount }, (_, index) => {
    const id =
      index % 97 === 96 ? `T-${index - 50}` : index % 1_009 === 1_008 ? `T-${index - 1_000}` : `T-${index}`;
    const location = index % 211 === 7 ? unknownLocation : locationUuid;
    const type = index % 307 === 11 ? "Unknown" : ["Transient", "2", "flex", "Reservation"][index % 4];
    const date =
      index % 401 === 13 ? "2026-02-30 10:00" : index % 2 === 0 ? "2026-06-15 10:00" : "2026-06-15T14:00:00Z";
    const amount = index % 503 === 17 ? '"1,50"' : `${index % 90}.${String(index % 100).padStart(2, "0")}`;
    const refunded = index % 3 === 0 ? "yes" : "false";
    const email = index % 601 === 19 ? "no address" : `driver${index % 3_000}@example.com`;
    const plate = index % 701 === 23 ? "" : `P ${index % 5_000}`;
    const account = index % 5 === 0 ? `A-${index % 800},Company ${index % 800}` : ",";
    return `${id},${location},${type},${date},${amount},${refunded},${email},${plate},20${10 + (index % 15)},${account},till ${index % 7}`;
  });
  return `${columns}\n${lines.join("\n")}\n`;
}

async function prepare(name: string): Promise<{ tenant: Tenant; output: string; args: string[] }> {
  const tenant = await live.gatehouse.tenant();
  const folder = join(live.folder, name);
  await mkdir(folder);
  await writeFile(join(folder, "key.txt"), tenant.apiKey);
  await writeFile(join(folder, "sessions.csv"), rowsWithFaults(tenant.locationUuid));
  const args = ["transactions", join(folder, "sessions.csv"), "--time-zone", "America/New_York"];
  return {
    tenant,
    output: join(folder, "sessions.push"),
    args: [...args, "--url", live.url, "--ca", live.caFile, "--key-file", join(folder, "key.txt"), "--json"],
  };
}

/**
 * Runs the command and signals it when the service has answered the given request: the request is stored, and
 * the command has not recorded it yet.
 */
async function interrupt(
  args: string[],
  afterAnswers: number,
  signal: NodeJS.Signals,
  input = "",
): Promise<Ended> {
  let answers = 0;
  const { process: child, ended } = startPush(args);
  // Standard input stays open: the writer may have more to send.
  child.stdin?.write(input);
  live.onAnswer = () => {
    answers += 1;
    if (answers === afterAnswers) child.kill(signal);
  };
  const end = await ended;
  live.onAnswer = undefined;
  return end;
}

/** All stored rows, without the identifiers that differ between organizations. */
async function storedState(organizationId: string): Promise<unknown> {
  const query = async (text: string) =>
    (await live.gatehouse.database.work.query(text, [organizationId])).rows;
  return {
    transactions: await query(`
      select t.transaction_id, t.type, t.transaction_date, t.local_date, t.amount_total, t.is_refunded, t.metadata,
             c.email, v.license_plate, a.tp_reference_id
      from transactions t
      left join contacts c on c.organization_id = t.organization_id and c.id = t.contact_id
      left join vehicles v on v.organization_id = t.organization_id and v.id = t.vehicle_id
      left join accounts a on a.organization_id = t.organization_id and a.id = t.account_id
      where t.organization_id = $1 order by t.transaction_id`),
    accounts: await query("select tp_reference_id, name from accounts where organization_id = $1 order by 1"),
    contacts: await query("select email from contacts where organization_id = $1 order by 1"),
    vehicles: await query("select license_plate, year from vehicles where organization_id = $1 order by 1"),
  };
}

interface Result {
  line: number;
  reference: string;
  outcome: string;
  reasonCode?: number;
  errorDetail?: string;
}

test("thousands of faulty rows, killed three times and resumed under the published limits, end like one clean run", async () => {
  const clean = await prepare("clean");
  const killed = await prepare("killed");
  const cleanEnd = await startPush(clean.args).ended;
  expect(cleanEnd).toMatchObject({ code: 2, signal: null });

  for (const afterAnswers of kills) {
    expect(await interrupt(killed.args, afterAnswers, "SIGKILL")).toMatchObject({
      signal: "SIGKILL",
    });
  }
  const resumed = await startPush(killed.args).ended;
  expect(resumed).toMatchObject({ code: 2, error: expect.stringMatching(/continuing after record \d+\n/) });

  expect(await storedState(killed.tenant.organizationId)).toEqual(
    await storedState(clean.tenant.organizationId),
  );

  const [cleanSummary] = JSON.parse(cleanEnd.out);
  const [killedSummary] = JSON.parse(resumed.out);
  expect(cleanSummary.tally).toMatchObject({ records: recordCount, requests: recordCount / batchSize });
  expect(killedSummary.tally).toMatchObject({
    records: recordCount,
    requests: recordCount / batchSize,
    failed: cleanSummary.tally.failed,
    reasons: cleanSummary.tally.reasons,
  });
  expect(Object.keys(cleanSummary.tally.reasons)).toEqual(["2", "4", "5"]);

  // Each record has one outcome, in order. Only records of a batch whose response was lost are reported as
  // Skipped.
  const cleanResults = (await readResults(clean.output)) as Result[];
  const killedResults = (await readResults(killed.output)) as Result[];
  const withoutCreation = ({ line, reference, outcome, reasonCode, errorDetail }: Result) =>
    outcome === "Failed" ? { line, reference, reasonCode, errorDetail } : { line, reference };
  expect(killedResults.map(withoutCreation)).toEqual(cleanResults.map(withoutCreation));
  const repeated = killedSummary.tally.skipped - cleanSummary.tally.skipped;
  expect(repeated).toBeGreaterThan(0);
  expect(repeated).toBeLessThanOrEqual(3 * batchSize);
  const failedRows = async (output: string) =>
    (await readFile(join(output, "failed.csv"), "utf8"))
      .replaceAll(clean.tenant.locationUuid, "")
      .replaceAll(killed.tenant.locationUuid, "");
  expect(await failedRows(killed.output)).toBe(await failedRows(clean.output));

  const refused = live.gatehouse.logged.filter((line) => line["status"] === 429);
  expect(refused).toEqual([]);
});

test("Ctrl-C lets the current request finish, keeps the journal and exits with code 1", async () => {
  const { args, output, tenant } = await prepare("stopped");
  const stopped = await interrupt(args, 4, "SIGINT");
  expect(stopped).toMatchObject({ code: 1, signal: null });
  expect(stopped.error).toContain("Stopping after the current request");
  const [summary] = JSON.parse(stopped.out);
  expect(summary).toMatchObject({ interruption: "stopped" });

  const { rows } = await live.gatehouse.database.work.query(
    "select count(*)::int as runs, sum(total_submitted)::int as records from import_runs where organization_id = $1",
    [tenant.organizationId],
  );
  expect(rows).toEqual([{ runs: summary.tally.requests, records: summary.tally.records }]);
  expect(await readResults(output)).toHaveLength(summary.tally.records);
});

test("Ctrl-C also stops a push that waits for standard input", async () => {
  const { args, output, tenant } = await prepare("piped");
  const [resource = "", , ...options] = args;
  const stopped = await interrupt(
    [resource, "-", "--format", "csv", "--output", output, ...options],
    1,
    "SIGINT",
    rowsWithFaults(tenant.locationUuid).split("\n").slice(0, 700).join("\n"),
  );
  expect(stopped).toMatchObject({ code: 1, signal: null });
  expect(JSON.parse(stopped.out)).toMatchObject([{ interruption: "stopped", tally: { records: batchSize } }]);
  expect(await readResults(output)).toHaveLength(batchSize);
});
