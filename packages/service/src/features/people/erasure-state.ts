import { randomUUID } from "node:crypto";
import type { PersonErased, UnfinishedErasures } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { UserError } from "../../core/refusals/user-error.js";
import { statementCheck, summary, type Check } from "../../core/verify/check.js";
import { auditedPerson, hashOf, type Person } from "./person.js";

/**
 * The table person_erasures has a row for each erasure that has begun. It holds the lease of the process that works on it, and
 * what was erased so far, so that a repeated erasure completes an interrupted one.
 */
export type ErasureCounts = Omit<PersonErased, "isDone">;

export const nothingErased: ErasureCounts = {
  leadsDeleted: 0,
  leadNotesDeleted: 0,
  contactsErased: 0,
  accountsErased: 0,
  differencesErased: 0,
  uploadRowsErased: 0,
};

/** Another process is erasing the same person, perhaps on another instance. */
export class AlreadyErasing extends UserError {
  override name = "AlreadyErasing";
}

const leaseSeconds = 60;
const renewEveryMs = 15_000;

/**
 * Takes the lease and returns its holder. Two processes at once would do no harm, because each step can be repeated; but each
 * would read everything that the organization stores, and one of them would report nothing.
 */
export async function takeLease(
  client: pg.ClientBase,
  person: Person,
): Promise<{ holder: string; isContinued: boolean }> {
  const holder = randomUUID();
  const values = [person.organizationId, hashOf(person), holder, leaseSeconds];
  const inserted = await client.query(
    `insert into person_erasures (organization_id, person_hash, holder, leased_until)
     values ($1, $2, $3, now() + make_interval(secs => $4)) on conflict do nothing`,
    values,
  );
  if (inserted.rowCount === 1) return { holder, isContinued: false };
  const taken = await client.query(
    `update person_erasures set holder = $3, leased_until = now() + make_interval(secs => $4)
     where organization_id = $1 and person_hash = $2 and (holder is null or leased_until < now())`,
    values,
  );
  if (taken.rowCount === 0)
    throw new AlreadyErasing("conflict", [
      "This person is already being erased. If that was interrupted, try again in a minute",
    ]);
  return { holder, isContinued: true };
}

/** Renews the lease while the work goes on. If the work fails, the lease is released. */
export async function whileLeased<T>(
  pool: pg.Pool,
  person: Person,
  holder: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = [person.organizationId, hashOf(person), holder];
  const where = "organization_id = $1 and person_hash = $2 and holder = $3";
  // A lease that cannot be renewed expires. The next step of the work reports the database error.
  const timer = setInterval(() => {
    pool
      .query(`update person_erasures set leased_until = now() + make_interval(secs => $4) where ${where}`, [
        ...key,
        leaseSeconds,
      ])
      .catch(() => undefined);
  }, renewEveryMs);
  try {
    return await work();
  } catch (error) {
    await pool.query(`update person_erasures set holder = null where ${where}`, key).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

export type Counter = "leads_deleted" | "lead_notes_deleted" | "differences_erased" | "upload_rows_erased";

export async function addToCount(
  client: pg.ClientBase,
  person: Person,
  counter: Counter,
  count: number,
): Promise<void> {
  if (count === 0) return;
  await client.query(
    `update person_erasures set ${counter} = ${counter} + $3 where organization_id = $1 and person_hash = $2`,
    [person.organizationId, hashOf(person), count],
  );
}

/** Adds the contacts and accounts from which the person was erased: nothing else refers to the person now. */
export async function addErased(
  client: pg.ClientBase,
  person: Person,
  { contacts, accounts }: ErasedIds,
): Promise<void> {
  await client.query(
    `update person_erasures set contact_ids = contact_ids || $3::uuid[], account_ids = account_ids || $4::uuid[]
     where organization_id = $1 and person_hash = $2`,
    [person.organizationId, hashOf(person), contacts, accounts],
  );
}

export interface ErasedIds {
  contacts: string[];
  accounts: string[];
}

export async function readErased(pool: pg.Pool, person: Person): Promise<ErasedIds> {
  const { rows } = await pool.query<ErasedIds>(
    `select contact_ids as contacts, account_ids as accounts from person_erasures
     where organization_id = $1 and person_hash = $2`,
    [person.organizationId, hashOf(person)],
  );
  return rows[0] ?? { contacts: [], accounts: [] };
}

/** Deletes the row and returns its counts; undefined if another process has finished the erasure. */
export async function takeCounts(client: pg.ClientBase, person: Person): Promise<ErasureCounts | undefined> {
  const { rows } = await client.query<ErasureCounts>(
    `delete from person_erasures where organization_id = $1 and person_hash = $2
     returning leads_deleted as "leadsDeleted", lead_notes_deleted as "leadNotesDeleted",
               cardinality(contact_ids) as "contactsErased", cardinality(account_ids) as "accountsErased",
               differences_erased as "differencesErased", upload_rows_erased as "uploadRowsErased"`,
    [person.organizationId, hashOf(person)],
  );
  return rows[0];
}

export async function isUnfinished(connection: pg.ClientBase | pg.Pool, person: Person): Promise<boolean> {
  const { rowCount } = await connection.query(
    "select from person_erasures where organization_id = $1 and person_hash = $2",
    [person.organizationId, hashOf(person)],
  );
  return rowCount !== 0;
}

const maxListed = 100;

/** The oldest first. The table does not say who the persons are. */
export async function listUnfinishedErasures(
  pool: pg.Pool,
  organizationId: string,
): Promise<UnfinishedErasures> {
  const { rows } = await pool.query<{ begun_at: Date }>(
    "select begun_at from person_erasures where organization_id = $1 order by begun_at limit $2",
    [organizationId, maxListed],
  );
  return { data: rows.map((row) => ({ begunAt: row.begun_at.toISOString() })) };
}

/** A page stops asking for the result after this time. */
const resultMinutes = 40;
/** The newest entries of the audit log that are searched. If the result is older, the person is erased again, which finds nothing. */
const searchedEntries = 100;

/** The counts of an erasure that has just finished on any instance, from the audit log. */
export async function findRecentResult(pool: pg.Pool, person: Person): Promise<ErasureCounts | undefined> {
  if (await isUnfinished(pool, person)) return undefined;
  const { rows } = await pool.query<{ detail: string }>(
    `select detail from (
       select id, action, detail, at from audit_log where organization_id = $1 order by id desc limit $2
     ) as newest
     where action = 'person.delete' and at > now() - make_interval(mins => $3)
     order by id desc`,
    [person.organizationId, searchedEntries, resultMinutes],
  );
  const { emailSha256, byPhone } = auditedPerson(person);
  const detail = rows
    .map((row) => JSON.parse(row.detail) as ErasureCounts & ReturnType<typeof auditedPerson>)
    .find((entry) => entry.emailSha256 === emailSha256 && entry.byPhone === byPhone);
  if (!detail) return undefined;
  const { emailSha256: _email, byPhone: _phone, ...counts } = detail;
  return { ...nothingErased, ...counts };
}

/** An erasure takes minutes. An older one was interrupted: only a part of the person's data is erased. */
export const erasureCheck: Check = statementCheck(
  "erasures: none was interrupted more than a day ago",
  summary(`
    select concat('organization ', organization_id, ' at ', begun_at) as id, 1 as read,
           begun_at < now() - interval '1 day' as is_wrong
    from person_erasures where organization_id = $1`),
);
