import {
  errors,
  importResources,
  maxBodyBytes,
  operations,
  type ErrorName,
  type OperationName,
} from "@gatehouse-parking/contract";
import {
  get,
  post,
  transaction,
  transactions,
  unknownUuid,
  type PlannedRequest,
  type PlannedSample,
  type SampleWorld,
} from "./planned-sample.js";

interface ErrorSample {
  operation: OperationName;
  requests: PlannedRequest[];
}

/** More leads than this are not sent to show a limit; an operator has lifted it then. */
const maxLeadsToReachLimit = 20;
const byFaultOnly = "It takes a fault of the service itself, which cannot be ordered.";

/** One request for every way the interface refuses a request as a whole. */
export function errorSamples(world: SampleWorld): PlannedSample[] {
  const samples = samplesByError(world);
  return (Object.keys(samples) as (keyof typeof samples)[]).map((name) => {
    const sample = samples[name];
    const { status, message, advice } = errors[name];
    const isRunnable = typeof sample !== "string";
    return {
      name: `error-${name}`,
      title: `${status} ${message}`,
      description: advice,
      operation: isRunnable ? sample.operation : "importTransactions",
      group: "error" as const,
      expectedStatus: status,
      requests: isRunnable ? sample.requests : [],
      ...(isRunnable ? {} : { notRunnable: sample }),
    };
  });
}

/** Errors of pages for people are no part of the interface. */
type InterfaceError = Exclude<ErrorName, "loopbackOnly">;

function samplesByError(world: SampleWorld): Record<InterfaceError, ErrorSample | string> {
  const one = transactions(transaction(world, "refused"));
  const lead = { email: "jo@example.com", locationUuid: world.locationUuid };
  const once = { "Content-Type": "application/json", "Idempotency-Key": `sandbox-${world.unique}` };
  return {
    httpsRequired: importing(post("importTransactions", one, { isSecure: false })),
    keyMissing: importing(post("importTransactions", one, { key: "none" })),
    keyInvalid: importing(post("importTransactions", one, { key: "broken" })),
    keyRefused: leading(post("submitLead", lead, { key: "broken" })),
    permissionMissing: importing(post("importTransactions", one, { key: "limited" })),
    originRefused: leading(
      post("submitLead", lead, {
        headers: { "Content-Type": "application/json", Origin: "https://not-listed.example" },
      }),
    ),
    notFound: {
      operation: "getImport",
      requests: [get("getImport", `/integrations/imports/${unknownUuid}`)],
    },
    methodNotAllowed: importing(get("importTransactions")),
    requestTimeout: "It takes a client that stops in the middle of its request.",
    requestMalformed: "It takes a client that does not speak HTTP.",
    expectationFailed: "It takes a client that expects what HTTP does not know.",
    transferCodingUnknown: "It takes a client that compresses its body for the way.",
    headersTooLarge: "It takes a client with headers beyond 16 KB.",
    bodyTooLarge: importing(post("importTransactions", tooLarge(one))),
    tooManyRecords: importing(post("importTransactions", tooMany(world))),
    unsupportedMediaType: importing(
      post("importTransactions", one, { headers: { "Content-Type": "text/plain" } }),
    ),
    bodyInvalid: leading(post("submitLead", { email: "not an address", locationUuid: "not a uuid" })),
    bodyMalformed: importing(post("importTransactions", '{"transactions": [')),
    envelopeInvalid: importing(post("importTransactions", { metadata: { batch: 7 } })),
    batchEmpty: importing(post("importTransactions", { transactions: [] })),
    idempotencyConflict: leading(
      post("submitLead", lead, { headers: once }),
      post("submitLead", { ...lead, firstName: "Jo" }, { headers: once }),
    ),
    rateLimited: limited(world),
    internal: byFaultOnly,
    captchaUnavailable: "It takes a captcha provider that cannot be reached.",
    databaseUnavailable: byFaultOnly,
    shuttingDown: "It takes a service that is being stopped.",
    overloaded: byFaultOnly,
  };
}

function importing(...requests: PlannedRequest[]): ErrorSample {
  return { operation: "importTransactions", requests };
}

function leading(...requests: PlannedRequest[]): ErrorSample {
  return { operation: "submitLead", requests };
}

/** Refused requests count, so the limit is reached without storing a lead. */
function limited({ leadLimit }: SampleWorld): ErrorSample | string {
  if (leadLimit >= maxLeadsToReachLimit)
    return `The operator raised the limit of ${operations.submitLead.path} to ${leadLimit} requests.`;
  const requests = Array.from({ length: leadLimit + 1 }, () =>
    post("submitLead", { email: "not an address" }),
  );
  return { operation: "submitLead", requests };
}

function tooLarge(batch: object): string {
  const text = JSON.stringify({ ...batch, metadata: { padding: "" } });
  return text.replace('"padding":""', `"padding":"${"x".repeat(maxBodyBytes)}"`);
}

function tooMany(world: SampleWorld): object {
  const count = importResources.transactions.maxRecords + 1;
  return transactions(...Array.from({ length: count }, (_, index) => transaction(world, `many-${index}`)));
}
