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
const byFaultOnly = "Only a fault in the service itself causes this, so it cannot be shown on demand.";

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
    quotaExceeded: "Only an organization whose operator has given it a quota gets this, once it is used up.",
    notFound: {
      operation: "getImport",
      requests: [get("getImport", `/integrations/imports/${unknownUuid}`)],
    },
    methodNotAllowed: importing(get("importTransactions")),
    requestTimeout: "Only a client that stops in the middle of a request causes this.",
    requestMalformed: "Only a client that does not speak HTTP correctly causes this.",
    expectationFailed: "Only a client that sends an unknown Expect header causes this.",
    transferCodingUnknown: "Only a client that sends an unknown Transfer-Encoding causes this.",
    headersTooLarge: "Only a client that sends more than 16 KB of headers causes this.",
    bodyTooLarge: importing(post("importTransactions", one, { trailingSpaces: maxBodyBytes })),
    tooManyRecords: importing(post("importTransactions", tooMany())),
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
    captchaUnavailable: "Only a captcha provider that cannot be reached causes this.",
    databaseUnavailable: byFaultOnly,
    runNotReadable: byFaultOnly,
    shuttingDown: "Only a service that is shutting down causes this.",
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
    return `The operator has raised the limit for ${operations.submitLead.path} to ${leadLimit} requests.`;
  const requests = Array.from({ length: leadLimit + 1 }, () =>
    post("submitLead", { email: "not an address" }),
  );
  return { operation: "submitLead", requests };
}

/** Records are counted before they are looked at, so empty ones do. */
function tooMany(): string {
  const length = importResources.transactions.maxRecords + 1;
  return JSON.stringify(transactions(...Array.from({ length }, () => ({}))));
}
