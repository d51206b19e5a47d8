/**
 * Imports a file of parking sessions, one JSON object per line, with the Gatehouse client, which handles batches, rate
 * limits and retries.
 *
 *     npm init -y && npm pkg set type=module
 *     npm install ./gatehouse-parking-client-VERSION.tgz typescript @types/node
 *     npx --no -- tsc import-sessions.ts --module nodenext --target es2023 --types node
 *     export GATEHOUSE_URL=https://localhost:8443 GATEHOUSE_API_KEY=...
 *     export NODE_EXTRA_CA_CERTS=ca.pem      # only if the certificate is from a private authority
 *     node import-sessions.js sessions.ndjson
 *
 * The package is not in the npm registry yet: "npm run release" in a clone of Gatehouse writes it to dist/release.
 *
 * Each line has the fields of a transaction; "location" is your own id of its location (tpReferenceId). You can run it
 * again at any time: stored records are Skipped.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline/promises";
import { createClient, ReasonCode, type RecordOutcome, type Transaction } from "@gatehouse-parking/client";

const { GATEHOUSE_URL: url = "", GATEHOUSE_API_KEY: apiKey = "" } = process.env;
const [file = "sessions.ndjson"] = process.argv.slice(2);

const client = createClient({
  url,
  apiKey,
  onPause: ({ reason, durationMs, error }) =>
    console.error(`${error?.message ?? reason}; again in ${Math.ceil(durationMs / 1000)} s`),
});

const uuids = new Map<string, string>();
for await (const { tpReferenceId, uuid } of client.allLocations())
  if (tpReferenceId) uuids.set(tpReferenceId, uuid);

type Session = Omit<Transaction, "locationUuid"> & { location: string };

async function* sessions(): AsyncGenerator<Transaction> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { location, ...session } = JSON.parse(line) as Session;
    // An unknown id is sent unchanged: that record fails with a reason, and the others are imported.
    yield { ...session, locationUuid: uuids.get(location) ?? location };
  }
}

const counts = { Created: 0, Skipped: 0, Failed: 0 };
function count(outcome: RecordOutcome): void {
  counts[outcome.outcome] += 1;
  if (outcome.outcome === "Failed")
    console.error(`${outcome.reference}: ${outcome.reasonCode} ${outcome.errorDetail}`);
}

/** The service could not store these records; the others of their batch are stored. */
const again: Transaction[] = [];
for await (const imported of client.importAll("transactions", sessions())) {
  if (imported.outcome === "Failed" && imported.reasonCode === ReasonCode.InternalError)
    again.push(imported.record);
  else count(imported);
}
for await (const imported of client.importAll("transactions", again)) count(imported);

console.log(`created ${counts.Created}, skipped ${counts.Skipped}, failed ${counts.Failed}`);

let runs = 0;
let newest = "none";
for await (const { referenceUuid } of client.allImports()) {
  if (runs === 0) newest = referenceUuid;
  runs += 1;
}
console.log(`${runs} runs, the newest is ${newest}`);
process.exitCode = counts.Failed > 0 ? 1 : 0;
