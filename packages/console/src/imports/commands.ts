import {
  importResources,
  operations,
  type ImportResource,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import type { RecordKind } from "@gatehouse-parking/contract/console";
import type { Interface } from "../session/origin.js";
import { curl } from "../ui/authority.js";
import { resourceName } from "./resources.js";

/** Commands to paste into a shell. The key is never on the page again, so it is taken from the environment. */

const account = '{"tpReferenceId":"ACME-1","name":"Acme Logistics"}';

/** A transaction, which brings what it is about along. It needs a location, whose uuid is taken from the environment. */
const transactionWith = (nested: string) =>
  `{"transactionId":"T-1","locationUuid":"'$LOCATION_UUID'","type":1,"transactionDate":"2026-04-01T14:30:00Z"${nested}}`;

/** The first batch that makes something of the kind. */
const firstBatches: Record<RecordKind, readonly [ImportResourceName, string]> = {
  transactions: ["transactions", transactionWith(',"amountTotal":12.5')],
  accounts: ["accounts", account],
  subscriptions: [
    "transactions",
    transactionWith(`,"account":${account},"subscription":{"tpReferenceId":"PERMIT-7"}`),
  ],
  contacts: ["transactions", transactionWith(',"contact":{"email":"jo@example.com"}')],
  vehicles: ["transactions", transactionWith(',"vehicle":{"licensePlate":"ABC 1234"}')],
};

export function firstImportCommand(api: Interface, kind: RecordKind): string {
  const [resource, record] = firstBatches[kind];
  return [
    `${curl(api)} ${api.origin}${operations[importResources[resource].importOperation].path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"${resource}":[${record}]}'`,
  ].join("\n");
}

export function fetchRunCommand(api: Interface, referenceUuid: string): string {
  return [
    `${curl(api)} ${api.origin}${operations.getImport.path.replace(":referenceUuid", referenceUuid)} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY"`,
  ].join("\n");
}

/** Sends a file of corrected records, as `{"transactions": [...]}`, again. */
export function resendCommand(api: Interface, resource: ImportResource): string {
  const name = resourceName(resource);
  return [
    `${curl(api)} ${api.origin}${operations[importResources[name].importOperation].path} \\`,
    `  -H "X-API-KEY: $GATEHOUSE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  --data-binary @corrected-${name}.json`,
  ].join("\n");
}
