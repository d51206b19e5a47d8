import { importResources, reasons, type OperationName, type ReasonCode } from "@gatehouse-parking/contract";
import {
  post,
  transaction,
  transactions,
  unknownUuid,
  type PlannedRequest,
  type PlannedSample,
  type SampleWorld,
} from "./planned-sample.js";

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
