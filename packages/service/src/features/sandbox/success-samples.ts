import { operations, type OperationName } from "@gatehouse-parking/contract";
import {
  get,
  post,
  transaction,
  transactions,
  type PlannedRequest,
  type PlannedSample,
  type SampleWorld,
} from "./planned-sample.js";

/** Every endpoint when all is well. */
export function successSamples(world: SampleWorld): PlannedSample[] {
  const { locationUuid, unique } = world;
  const account = { tpReferenceId: `sandbox-account-${unique}`, name: "Acme Logistics" };
  const subscription = {
    tpReferenceId: `sandbox-permit-${unique}`,
    accountTPReferenceId: account.tpReferenceId,
    permitNumber: "P-7",
  };
  return [
    success(
      "importTransactions",
      "A transaction, created together with its account, contact, vehicle and subscription.",
      [
        post(
          "importTransactions",
          transactions(
            transaction(world, "full", {
              account,
              contact: { email: "jo@example.com", firstName: "Jo" },
              vehicle: { licensePlate: "ABC 1234", state: "NY" },
              subscription: { tpReferenceId: `sandbox-nested-${unique}` },
              metadata: { lane: 4 },
            }),
          ),
        ),
      ],
    ),
    success("importAccounts", "A company that is billed monthly.", [
      post("importAccounts", { accounts: [account] }),
    ]),
    success("importSubscriptions", "A permit for an existing account.", [
      post("importAccounts", { accounts: [account] }),
      post("importSubscriptions", { subscriptions: [subscription] }),
    ]),
    success("listLocations", "The locations that records can be imported for.", [get("listLocations")]),
    success("listImports", "Past import runs, newest first.", [get("listImports")]),
    success("validateTransactions", "What an import would answer, with nothing stored.", [
      post("validateTransactions", transactions(transaction(world, "checked"))),
    ]),
    success("submitLead", "A lead from a web page.", [
      post("submitLead", { email: "jo@example.com", locationUuid, firstName: "Jo", source: "Website" }),
    ]),
  ];
}

function success(operation: OperationName, description: string, requests: PlannedRequest[]): PlannedSample {
  return {
    name: operation,
    title: operations[operation].summary,
    description,
    operation,
    group: "success",
    expectedStatus: 200,
    requests,
  };
}
