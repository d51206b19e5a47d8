import { isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Connection } from "../../database/transaction.js";
import type { Role } from "@gatehouse-parking/contract/console";
import { mayEnter, roleIn } from "../../organizations/memberships.js";
import { hashToken, isToken } from "../../organizations/secrets.js";
import { idleLifetimeHours } from "./sessions.js";

/** The signed-in user. `email` is the actor in the audit log. */
export interface Person {
  id: string;
  email: string;
  /** The role in the organization of the path. Without one, everybody but an operator is a viewer. */
  role: Role;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Whether a one-time link opened the session. */
  byLink: boolean;
  /** Whether the OpenID provider did. */
  byProvider: boolean;
}

export interface OrganizationInView {
  id: string;
  name: string;
  isDemo: boolean;
  createdAt: Date;
  requiresSecondFactor: boolean;
}

export interface FoundSession {
  person: Person;
  expiresAt: Date;
  /** The organization asked for, if the person may see it. */
  organization: OrganizationInView | undefined;
  isActivityStale: boolean;
}

/** Activity is recorded at most this often, so that reading pages writes almost nothing. */
const activityIntervalSeconds = 60;

interface SessionRow {
  id: string;
  email: string;
  is_operator: boolean;
  role: Role | null;
  has_password: boolean;
  has_second_factor: boolean;
  expires_at: Date;
  by_link: boolean;
  by_provider: boolean;
  is_activity_due: boolean;
  organization: string | null;
  organization_name: string;
  is_demo: boolean;
  organization_created_at: Date;
  requires_second_factor: boolean;
}

/**
 * Role, membership and whether the person is disabled are read with every request, so changes count at once. An instance
 * of an older release on the same database may open a session with the password alone. It does not count here, so the
 * person signs in again and is asked for the code. A provider has checked the factors that it wants.
 * Nor does a session count that an older release opened by a link: it does not say with whose access it ends.
 */
const statement = `
  select person.id, person.email, person.role = 'operator' as is_operator, ${roleIn("$2::uuid", "person")} as role,
         person.password_hash is not null as has_password,
         factor.user_id is not null as has_second_factor,
         session.expires_at, session.by_link, session.by_provider,
         session.last_seen_at < now() - make_interval(secs => $4) as is_activity_due,
         organization.id as organization, organization.name as organization_name, organization.is_demo,
         organization.created_at as organization_created_at, organization.requires_second_factor
  from sessions as session
  join users as person on person.id = session.user_id and ${mayEnter("person")}
  left join second_factors as factor on factor.user_id = person.id and factor.confirmed_at is not null
  left join organizations as organization on organization.id = $2::uuid
  where session.token_hash = $1
    and session.expires_at > now()
    and session.last_seen_at > now() - make_interval(hours => $3)
    and (factor.user_id is null or session.by_provider or session.second_factor_at is not null)
    and (not session.by_link or session.proven_at is not null or session.link_made_by is not null)`;

export async function findSession(
  connection: Connection,
  token: string,
  wantedOrganization: string | undefined,
): Promise<FoundSession | undefined> {
  if (!isToken(token)) return undefined;
  const isAskable = wantedOrganization === undefined || isUuid(wantedOrganization);
  const { rows } = await connection.query<SessionRow>({
    name: "find-session",
    text: statement,
    values: [
      hashToken(token),
      isAskable ? (wantedOrganization ?? null) : null,
      idleLifetimeHours,
      activityIntervalSeconds,
    ],
  });
  const row = rows[0];
  if (!row) return undefined;
  return {
    person: {
      id: row.id,
      email: row.email,
      role: row.is_operator ? "operator" : (row.role ?? "viewer"),
      hasPassword: row.has_password,
      hasSecondFactor: row.has_second_factor,
      byLink: row.by_link,
      byProvider: row.by_provider,
    },
    expiresAt: row.expires_at,
    isActivityStale: row.is_activity_due,
    organization:
      row.organization !== null && row.role !== null
        ? {
            id: row.organization,
            name: row.organization_name,
            isDemo: row.is_demo,
            createdAt: row.organization_created_at,
            requiresSecondFactor: row.requires_second_factor,
          }
        : undefined,
  };
}

/**
 * Locks a session and its account until the end of the transaction. A separate statement, so that the next one sees
 * what was committed while this one waited.
 */
export async function lockSession(client: pg.ClientBase, token: string): Promise<void> {
  await client.query({
    name: "hold-session",
    text: `select from users as person join sessions as session on session.user_id = person.id
           where session.token_hash = $1 for share of person, session`,
    values: [hashToken(token)],
  });
}

export async function recordActivity(pool: pg.Pool, token: string): Promise<void> {
  await pool.query("update sessions set last_seen_at = now() where token_hash = $1", [hashToken(token)]);
}
