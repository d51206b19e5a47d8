import { randomUUID } from "node:crypto";
import type pg from "pg";
import { UserError } from "../../core/refusals/user-error.js";
import type { Erasure } from "./delete-person.js";

/** Somebody else is at the same person, perhaps on another instance. */
export class ErasedByAnother extends UserError {
  override name = "ErasedByAnother";
}

/** How long after a process has ended another may go on with what it began. */
const leaseSeconds = 60;
const renewedEveryMs = 15_000;

type Leased = Pick<Erasure, "person" | "personHash">;

/**
 * Takes the row of the erasure, or makes it, and says whether it was there already. Two at once would do no harm, since
 * each step can be done again; but each would read all that the organization has noted, and one of them report nothing.
 */
export async function takeLease(
  client: pg.ClientBase,
  { person: { organizationId }, personHash }: Leased,
): Promise<{ holder: string; isContinued: boolean }> {
  const holder = randomUUID();
  const values = [organizationId, personHash, holder, leaseSeconds];
  const made = await client.query(
    `insert into person_erasures (organization_id, person_hash, holder, leased_until)
     values ($1, $2, $3, now() + make_interval(secs => $4)) on conflict do nothing`,
    values,
  );
  if (made.rowCount === 1) return { holder, isContinued: false };
  const taken = await client.query(
    `update person_erasures set holder = $3, leased_until = now() + make_interval(secs => $4)
     where organization_id = $1 and person_hash = $2 and (holder is null or leased_until < now())`,
    values,
  );
  if (taken.rowCount === 0)
    throw new ErasedByAnother("conflict", [
      "This person is being erased already. If that was cut short, try again in a minute",
    ]);
  return { holder, isContinued: true };
}

/** Does the work and keeps the lease meanwhile. If it fails, others may go on at once. */
export async function whileLeased<T>(
  pool: pg.Pool,
  { person: { organizationId }, personHash }: Leased,
  holder: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = [organizationId, personHash, holder];
  // What cannot be renewed runs out, and the next step finds out what is wrong with the database.
  const renew = () =>
    pool
      .query(
        `update person_erasures set leased_until = now() + make_interval(secs => $4)
         where organization_id = $1 and person_hash = $2 and holder = $3`,
        [...key, leaseSeconds],
      )
      .catch(() => undefined);
  const timer = setInterval(() => void renew(), renewedEveryMs);
  try {
    return await work();
  } catch (error) {
    await pool
      .query(
        `update person_erasures set holder = null
         where organization_id = $1 and person_hash = $2 and holder = $3`,
        key,
      )
      .catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
