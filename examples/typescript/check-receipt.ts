/**
 * Imports an account, stores the signed receipt of the import, and checks the receipt offline.
 *
 *     npm init -y && npm pkg set type=module
 *     npm install ./gatehouse-parking-client-VERSION.tgz typescript @types/node
 *     npx --no -- tsc check-receipt.ts --module nodenext --target es2023 --types node
 *     export GATEHOUSE_URL=https://localhost:8443 GATEHOUSE_API_KEY=...
 *     export NODE_EXTRA_CA_CERTS=ca.pem      # only if the certificate is from a private authority
 *     node check-receipt.js acknowledged.json
 *
 * The package is not in the npm registry yet: "npm run release" in a clone of Gatehouse writes it to dist/release.
 *
 * The service sends receipts if its operator has set GATEHOUSE_RECEIPTS=on.
 */
import { readFile, writeFile } from "node:fs/promises";
import { checkReceipt, createClient, ReceiptError, type ReceiptToCheck } from "@gatehouse-parking/client";

const { GATEHOUSE_URL: url = "", GATEHOUSE_API_KEY: apiKey = "" } = process.env;
const [file = "acknowledged.json"] = process.argv.slice(2);

// After the import: store the response, its receipt and the public keys of the service together.
const client = createClient({ url, apiKey });
const { receipt, ...answer } = await client.importAccounts([
  { tpReferenceId: "ACME", name: "Acme Logistics" },
]);
const keys: unknown = await (await fetch(`${url}/.well-known/gatehouse-receipts.json`)).json();
await writeFile(file, JSON.stringify({ receipt, answer, keys }));

// Later: check them offline.
const kept = JSON.parse(await readFile(file, "utf8")) as ReceiptToCheck;
try {
  const proven = checkReceipt(kept);
  console.log(`run ${proven.referenceUuid} was acknowledged at ${proven.completedAt}`);
} catch (error) {
  if (!(error instanceof ReceiptError)) throw error;
  console.error(`${error.problem}: ${error.message}`);
  process.exitCode = 1;
}
