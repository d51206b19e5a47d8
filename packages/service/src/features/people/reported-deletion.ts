import type pg from "pg";
import { nothingDeleted, hashOf, type PersonDeletion } from "./delete-person.js";
import { auditedPerson, type Person } from "./person.js";

/** How long a page may go on asking how far an erasure is. */
const withinMinutes = 40;
/**
 * How many entries of the audit log are read. Where more came since, the person is erased once more, which finds
 * nothing.
 */
const maxRead = 100;

/**
 * What an erasure that has just ended has done, on whichever instance, as the audit log has it; undefined if there is
 * none, or if the person is being erased at this moment.
 */
export async function findReported(pool: pg.Pool, person: Person): Promise<PersonDeletion | undefined> {
  const { organizationId } = person;
  const { rowCount } = await pool.query(
    "select from person_erasures where organization_id = $1 and person_hash = $2",
    [organizationId, hashOf(person)],
  );
  if (rowCount !== 0) return undefined;
  const { rows } = await pool.query<{ detail: string }>(
    `select detail from (
       select id, action, detail, at from audit_log where organization_id = $1 order by id desc limit $2
     ) as newest
     where action = 'person.delete' and at > now() - make_interval(mins => $3)
     order by id desc`,
    [organizationId, maxRead, withinMinutes],
  );
  const about = auditedPerson(person);
  const reported = rows
    .map(({ detail }) => JSON.parse(detail) as Record<string, unknown>)
    .find(
      (detail) => detail["emailSha256"] === about["emailSha256"] && detail["byPhone"] === about["byPhone"],
    );
  if (!reported) return undefined;
  const names = Object.keys(nothingDeleted) as (keyof PersonDeletion)[];
  return Object.fromEntries(
    names.map((name) => [name, Number(reported[name] ?? 0)]),
  ) as unknown as PersonDeletion;
}
