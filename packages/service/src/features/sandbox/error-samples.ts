import {
  errors,
  importResources,
  maxBodyBytes,
  operations,
  type ErrorName,
  type OperationName,
} from "@gatehouse-parking/contract";
import type { Sample, SampleRequest } from "@gatehouse-parking/contract/console";
import { get, post, transaction, transactions, unknownUuid, type SampleContext } from "./sample-requests.js";

interface ErrorSample {
  operation: OperationName;
  requests: SampleRequest[];
}

/** A higher limit is not demonstrated: the operator has raised it. */
const maxLeadsToReachLimit = 20;
const uploadsOnly = "Only uploads of files have this, so there is no sample.";
const internalErrorOnly = "Only an internal error causes this, so there is no sample.";

export function errorSamples(context: SampleContext): Sample[] {
  const samples = samplesByError(context);
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

/** Without errors of web pages. */
type InterfaceError = Exclude<ErrorName, "loopbackOnly">;

function samplesByError(context: SampleContext): Record<InterfaceError, ErrorSample | string> {
  const one = transactions(transaction(context, "refused"));
  const lead = { email: "jo@example.com", locationUuid: context.locationUuid };
  const once = { "Content-Type": "application/json", "Idempotency-Key": `sandbox-${context.unique}` };
  return {
    httpsRequired: importing(post("importTransactions", one, { isSecure: false })),
    openQuestions: uploadsOnly,
    conflict: uploadsOnly,
    keyMissing: importing(post("importTransactions", one, { key: "none" })),
    keyInvalid: importing(post("importTransactions", one, { key: "broken" })),
    keyRefused: leading(post("submitLead", lead, { key: "broken" })),
    permissionMissing: importing(post("importTransactions", one, { key: "limited" })),
    originRefused: leading(
      post("submitLead", lead, {
        headers: { "Content-Type": "application/json", Origin: "https://not-listed.example" },
      }),
    ),
    quotaExceeded: "Only an organization that has used up a quota set by its operator gets this.",
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
    rateLimited: limited(context),
    internal: internalErrorOnly,
    captchaUnavailable: "Only a captcha provider that cannot be reached causes this.",
    databaseUnavailable: internalErrorOnly,
    runNotReadable: internalErrorOnly,
    shuttingDown: "Only a service that is shutting down causes this.",
    overloaded: internalErrorOnly,
  };
}

function importing(...requests: SampleRequest[]): ErrorSample {
  return { operation: "importTransactions", requests };
}

function leading(...requests: SampleRequest[]): ErrorSample {
  return { operation: "submitLead", requests };
}

/** Rejected requests count, so the limit is reached without storing a lead. */
function limited({ leadLimit }: SampleContext): ErrorSample | string {
  if (leadLimit >= maxLeadsToReachLimit)
    return `The operator has raised the limit for ${operations.submitLead.path} to ${leadLimit} requests.`;
  const requests = Array.from({ length: leadLimit + 1 }, () =>
    post("submitLead", { email: "not an address" }),
  );
  return { operation: "submitLead", requests };
}

/** Records are counted before they are checked, so they can be empty. */
function tooMany(): string {
  const length = importResources.transactions.maxRecords + 1;
  return JSON.stringify(transactions(...Array.from({ length }, () => ({}))));
}
