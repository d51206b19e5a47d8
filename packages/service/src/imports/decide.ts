import { isObject, reasonPrecedence, type ReasonCode } from "@gatehouse-parking/contract";
import type { Candidate } from "./candidate.js";
import { accountOfSubscription, relations, resolve, type Relation, type Resolution } from "./relations.js";
import {
  makeAccount,
  makeContact,
  makeSubscription,
  makeTransaction,
  makeVehicle,
  type Link,
  type Making,
} from "./rows.js";
import type { StoredRecord, World } from "./world.js";

/**
 * Step 3: each record in turn, with no database at hand: Skipped if its key exists, Failed with everything that is
 * wrong, or Created. What a created record made is visible to those after it; a failed one leaves nothing behind.
 */
export type Outcome =
  | { status: 1; uuid: string }
  | { status: 3; stored: StoredRecord }
  | { status: 4; reasonCode: ReasonCode; detail: string };

/** A reference that resolves to nothing, or whatever the check found. */
interface Finding {
  path: string;
  reasonCode: ReasonCode;
  message: string;
}

/** Collects what is wrong with the references; makes rows only if nothing is. */
export type Create = (making: Making, findings: Finding[]) => string | undefined;

export function decide(making: Making, create: Create): Outcome {
  const { candidate, world } = making;
  const stored = candidate.key === undefined ? undefined : world.records.get(candidate.key);
  if (stored) return { status: 3, stored };

  const findings: Finding[] = [...candidate.check()];
  // What is no object refers to nothing, and there is no more to say about it.
  const uuid = candidate.source.isObject ? create(making, findings) : undefined;
  if (uuid === undefined) return failed(findings);
  world.add(world.records, candidate.key, {
    id: uuid,
    fingerprint: candidate.fingerprint,
    madeBy: candidate.position,
  });
  return { status: 1, uuid };
}

function failed(findings: Finding[]): Outcome {
  const codes = new Set(findings.map((finding) => finding.reasonCode));
  return {
    status: 4,
    reasonCode: reasonPrecedence.find((code) => codes.has(code)) as ReasonCode,
    detail: findings.map((finding) => finding.message).join("; "),
  };
}

export const createAccount: Create = (making, findings) => {
  const { candidate, world } = making;
  findLocation(candidate.record, [], world, findings);
  return findings.length > 0 ? undefined : makeAccount(making, candidate.record, "record");
};

export const createSubscription: Create = (making, findings) => {
  const { candidate, world } = making;
  findLocation(candidate.record, [], world, findings);
  // An account object in the record is an unknown field here: this endpoint never creates accounts.
  const { account: _ignored, ...record } = candidate.record;
  const account = resolve(relations.account, record, world);
  noteUnresolved(relations.account, account, findings);
  if (account.kind === "none" && !isWronglyTyped(candidate)) {
    findings.push({
      path: "accountUuid",
      reasonCode: 6,
      message: "accountUuid or accountTPReferenceId is required to name an account of the organization",
    });
  }
  if (findings.length > 0 || account.kind !== "found") return undefined;
  return makeSubscription(making, candidate.record, "record", account.id);
};

/** An account field that is given, but as no string, is reported as such and not as missing too. */
function isWronglyTyped({ record }: Candidate): boolean {
  return [record["accountUuid"], record["accountTPReferenceId"]].some(
    (value) => value !== undefined && value !== null,
  );
}

export const createTransaction: Create = (making, findings) => {
  const { candidate, world } = making;
  const { record } = candidate;
  findLocation(record, [], world, findings);
  for (const name of ["account", "subscription"]) {
    if (isObject(record[name])) findLocation(record[name], [name], world, findings);
  }
  const account = resolve(relations.account, record, world);
  const contact = resolve(relations.contact, record, world);
  const vehicle = resolve(relations.vehicle, record, world);
  const subscription = resolve(relations.subscription, record, world);
  noteUnresolved(relations.account, account, findings);
  noteUnresolved(relations.subscription, subscription, findings);
  noteUnresolved(relations.contact, contact, findings);
  noteUnresolved(relations.vehicle, vehicle, findings);
  if (findings.length > 0) return undefined;

  const accountLink = link(account, (nested) => makeAccount(making, nested, "nested"));
  return makeTransaction(making, {
    account: accountLink,
    contact: link(contact, (nested) => makeContact(making, nested)),
    vehicle: link(vehicle, (nested) => makeVehicle(making, nested)),
    subscription: linkSubscription(making, subscription, accountLink.id),
  });
};

function link(resolution: Resolution, create: (nested: Record<string, unknown>) => string): Link {
  if (resolution.kind === "found") return { id: resolution.id, via: resolution.via };
  if (resolution.kind === "to create") return { id: create(resolution.nested), via: "created" };
  return { id: null, via: null };
}

/** A nested subscription needs an account. Without one it is dropped. */
function linkSubscription(making: Making, resolution: Resolution, accountOfRecord: string | null): Link {
  if (resolution.kind !== "to create") return link(resolution, () => "");
  const accountId = accountOfSubscription(resolution.nested, accountOfRecord, making.world);
  if (accountId === null) return { id: null, via: "dropped" };
  return { id: makeSubscription(making, resolution.nested, "nested", accountId), via: "created" };
}

function findLocation(
  object: Record<string, unknown>,
  path: readonly string[],
  world: World,
  findings: Finding[],
): void {
  const uuid = object["locationUuid"];
  if (typeof uuid !== "string" || world.locations.has(uuid.toLowerCase())) return;
  const field = [...path, "locationUuid"].join(".");
  note(findings, { path: field, reasonCode: 2, message: `${field} is not a location of the organization` });
}

function noteUnresolved(relation: Relation, resolution: Resolution, findings: Finding[]): void {
  if (resolution.kind !== "not found") return;
  note(findings, {
    path: resolution.field,
    reasonCode: relation.reasonCode,
    message: `${resolution.field} does not name ${relation.noun} of the organization`,
  });
}

/** A field that is wrong in itself (too long, blank where it is required) is not reported as unknown as well. */
function note(findings: Finding[], found: Finding): void {
  if (!findings.some((finding) => finding.path === found.path)) findings.push(found);
}
