import type { Sample, SampleRequest } from "@gatehouse-parking/contract/console";
import { errorSamples } from "./error-samples.js";
import {
  type PlannedRequest,
  type PlannedSample,
  type SampleWorld,
  get,
  post,
  transaction,
  transactions,
  unknownUuid,
} from "./planned-sample.js";
import {
  operations,
  type OperationName,
  importResources,
  reasons,
  type ReasonCode,
} from "@gatehouse-parking/contract";

/** Everything an integrator should have seen once: each endpoint at its best, each reason code, each refusal. */
export function planSamples(world: SampleWorld): PlannedSample[] {
  return [...successSamples(world), ...reasonSamples(world), ...errorSamples(world)];
}

const maxShownCharacters = 4_000;

export function toSample(planned: PlannedSample): Sample {
  return { ...planned, requests: planned.requests.map((request) => toShownRequest(request, shownKeys)) };
}

const shownKeys: Record<PlannedRequest["key"], string | undefined> = {
  full: "<API_KEY>",
  limited: "<API_KEY without transactions:write>",
  broken: "not-a-key",
  none: undefined,
};

export function toShownRequest(
  request: PlannedRequest,
  keys: Record<PlannedRequest["key"], string | undefined>,
): SampleRequest {
  const shownKey = keys[request.key];
  const headers = { ...(shownKey === undefined ? {} : { "X-API-KEY": shownKey }), ...request.headers };
  return { ...request, headers };
}

export function shorten(text: string): string {
  if (text.length <= maxShownCharacters) return text;
  return `${text.slice(0, maxShownCharacters)}\n... ${text.length.toLocaleString("en")} characters in all`;
}

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

/** One request for every reason code, so that an integrator sees each of them before a customer does. */
export function reasonSamples(world: SampleWorld): PlannedSample[] {
  const requests = requestsByCode(world);
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

/** The requests, or why there are none. */
function requestsByCode(world: SampleWorld): Partial<Record<ReasonCode, PlannedRequest[] | string>> {
  const one = (name: string, fields: object) => [
    post("importTransactions", transactions(transaction(world, name, fields))),
  ];
  const repeated = post("importTransactions", transactions(transaction(world, "repeated")));
  return {
    1: [repeated, repeated],
    2: one("location", { locationUuid: unknownUuid }),
    3: "This code is reserved and never returned.",
    4: one("missing", { vehicle: { state: "NY" } }),
    5: one("wrong", { amountTotal: "12.50", type: 9 }),
    6: [
      post("importSubscriptions", {
        subscriptions: [
          { tpReferenceId: `sandbox-orphan-${world.unique}`, accountTPReferenceId: "no-such-account" },
        ],
      }),
    ],
    7: one("subscription", { subscriptionUuid: unknownUuid }),
    8: one("contact", { contactUuid: unknownUuid }),
    9: one("vehicle", { vehicleUuid: unknownUuid }),
    99: "Only a fault in the service itself causes this. The other records of the batch are stored.",
  };
}
