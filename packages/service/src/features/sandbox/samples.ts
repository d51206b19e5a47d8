import {
  importResources,
  operations,
  reasons,
  type OperationName,
  type ReasonCode,
} from "@gatehouse-parking/contract";
import type { Sample, SampleRequest } from "@gatehouse-parking/contract/console";
import { errorSamples } from "./error-samples.js";
import { invalidKey } from "./run-sample.js";
import {
  get,
  post,
  transaction,
  transactions,
  unknownUuid,
  withKey,
  type SampleContext,
} from "./sample-requests.js";

/** For each endpoint a successful request, and for each reason code and each error a request that causes it. */
export function planSamples(context: SampleContext): Sample[] {
  return [...successSamples(context), ...reasonSamples(context), ...errorSamples(context)];
}

/** The sample with placeholders for the keys. */
export function showSample(sample: Sample): Sample {
  const keys = {
    full: "<API_KEY>",
    limited: "<API_KEY without transactions:write>",
    broken: invalidKey,
    none: undefined,
  };
  return { ...sample, requests: sample.requests.map((request) => withKey(request, keys)) };
}

function successSamples(context: SampleContext): Sample[] {
  const { locationUuid, unique } = context;
  const account = { tpReferenceId: `sandbox-account-${unique}`, name: "Acme Logistics" };
  const subscription = {
    tpReferenceId: `sandbox-permit-${unique}`,
    accountTPReferenceId: account.tpReferenceId,
    permitNumber: "P-7",
  };
  return [
    success("importTransactions", "A transaction with its account, contact, vehicle and subscription.", [
      post(
        "importTransactions",
        transactions(
          transaction(context, "full", {
            account,
            contact: { email: "jo@example.com", firstName: "Jo" },
            vehicle: { licensePlate: "ABC 1234", state: "NY" },
            subscription: { tpReferenceId: `sandbox-nested-${unique}` },
            metadata: { lane: 4 },
          }),
        ),
      ),
    ]),
    success("importAccounts", "A company that is billed monthly.", [
      post("importAccounts", { accounts: [account] }),
    ]),
    success("importSubscriptions", "A permit for an existing account.", [
      post("importAccounts", { accounts: [account] }),
      post("importSubscriptions", { subscriptions: [subscription] }),
    ]),
    success("listLocations", "The locations that records can be imported for.", [get("listLocations")]),
    success("listImports", "Past import runs, newest first.", [get("listImports")]),
    success("validateTransactions", "The answer that an import would get; nothing is stored.", [
      post("validateTransactions", transactions(transaction(context, "checked"))),
    ]),
    success("submitLead", "A lead from a web page.", [
      post("submitLead", { email: "jo@example.com", locationUuid, firstName: "Jo", source: "Website" }),
    ]),
  ];
}

function success(operation: OperationName, description: string, requests: SampleRequest[]): Sample {
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

function reasonSamples(context: SampleContext): Sample[] {
  const requests = requestsByCode(context);
  return reasons.map(({ code, name, meaning, advice }) => {
    const planned = requests[code] ?? "There is no sample of this code.";
    const operation: OperationName =
      code === 6
        ? importResources.subscriptions.importOperation
        : importResources.transactions.importOperation;
    return {
      name: `reason-${code}`,
      title: `${code} ${name}`,
      description: `${meaning} ${advice}`,
      operation,
      group: "reason" as const,
      reasonCode: code,
      expectedStatus: 200,
      requests: Array.isArray(planned) ? planned : [],
      ...(typeof planned === "string" ? { notRunnable: planned } : {}),
    };
  });
}

/** The requests that cause each code, or the reason why there are none. */
function requestsByCode(context: SampleContext): Partial<Record<ReasonCode, SampleRequest[] | string>> {
  const one = (name: string, fields: object) => [
    post("importTransactions", transactions(transaction(context, name, fields))),
  ];
  const repeated = post("importTransactions", transactions(transaction(context, "repeated")));
  return {
    1: [repeated, repeated],
    2: one("location", { locationUuid: unknownUuid }),
    3: "This code is reserved and never returned.",
    4: one("missing", { vehicle: { state: "NY" } }),
    5: one("wrong", { amountTotal: "12.50", type: 9 }),
    6: [
      post("importSubscriptions", {
        subscriptions: [
          { tpReferenceId: `sandbox-orphan-${context.unique}`, accountTPReferenceId: "no-such-account" },
        ],
      }),
    ],
    7: one("subscription", { subscriptionUuid: unknownUuid }),
    8: one("contact", { contactUuid: unknownUuid }),
    9: one("vehicle", { vehicleUuid: unknownUuid }),
    99: "Only a fault in the service itself causes this code. The other records of the batch are stored.",
  };
}
