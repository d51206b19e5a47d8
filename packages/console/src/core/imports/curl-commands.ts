import {
  importResources,
  operations,
  type ImportResource,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import type { RecordKind } from "@gatehouse-parking/contract/console";
import { recordFacts } from "../records/record-facts.js";
import { resourceName } from "../records/record-kinds.js";
import { curlCommand, type ApiAddress } from "../session/api-address.js";

/** Commands to paste into a shell. They take the API key from the environment, because the page does not know it. */

const account = '{"tpReferenceId":"ACME-1","name":"Acme Logistics"}';

/** A transaction with nested records. The UUID of its location comes from the environment. */
const transactionWith = (nested: string) =>
  `{"transactionId":"T-1","locationUuid":"'$LOCATION_UUID'","type":1,"transactionDate":"2026-04-01T14:30:00Z"${nested}}`;

/** A batch that creates a record of the kind. Others have their reference alone. */
const firstBatches: Partial<Record<RecordKind, readonly [ImportResourceName, string]>> = {
  transactions: ["transactions", transactionWith(',"amountTotal":12.5')],
  accounts: ["accounts", account],
  subscriptions: [
    "transactions",
    transactionWith(`,"account":${account},"subscription":{"tpReferenceId":"PERMIT-7"}`),
  ],
  contacts: ["transactions", transactionWith(',"contact":{"email":"jo@example.com"}')],
  vehicles: ["transactions", transactionWith(',"vehicle":{"licensePlate":"ABC 1234"}')],
};

export function firstImportCommand(api: ApiAddress, kind: RecordKind): string {
  const [resource, record] = firstBatches[kind] ?? [
    kind as ImportResourceName,
    `{"${recordFacts[kind].referenceField}":"1"}`,
  ];
  const { path } = operations[importResources[resource].importOperation];
  return curlCommand(api, path, `-d '{"${resource}":[${record}]}'`);
}

export function fetchImportCommand(api: ApiAddress, referenceUuid: string): string {
  return curlCommand(api, operations.getImport.path.replace(":referenceUuid", referenceUuid));
}

/** Sends a file of corrected records: `{"transactions": [...]}`. */
export function resendCommand(api: ApiAddress, resource: ImportResource): string {
  const name = resourceName(resource);
  const { path } = operations[importResources[name].importOperation];
  return curlCommand(api, path, `--data-binary @corrected-${name}.json`);
}
