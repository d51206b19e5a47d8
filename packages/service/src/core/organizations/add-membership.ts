import { writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { InvalidInput } from "../refusals/input-errors.js";
import { uuidv7 } from "../uuidv7.js";
import { endAllAccess, everyMembership, requireRoomForOneMore } from "./memberships.js";
import { requireOrganization } from "./organizations.js";
import { lockUserByEmail } from "./users.js";

/**
 * Lets somebody who has an account into another organization, at once: for whoever has the command line, who answers for
 * whose account it is. Sessions and links end, because they were opened before this organization was concerned. The password
 * survives: nobody is signed in here who could choose another.
 */
export async function addMembership(
  connection: Connection,
  input: { email: string; organizationId: string; role: "admin" | "viewer"; actor: Actor },
): Promise<{ uuid: string; email: string; role: string; organizationUuid: string }> {
  return transaction(connection, async (client) => {
    await requireOrganization(client, input.organizationId);
    const account = await lockUserByEmail(client, input.email);
    if (account.role === "operator")
      throw new InvalidInput(`${account.email} is an operator and sees all organizations`);
    await requireRoomForOneMore(client, account.id);
    const { rowCount } = await client.query(
      `insert into memberships as stored (id, user_id, organization_id, email, role, accepted_at)
       select $1::uuid, $2::uuid, $3::uuid, $4, $5, now() where $3 is distinct from $6::uuid
       on conflict (user_id, organization_id) do update
       set role = excluded.role, accepted_at = now(), disabled_at = null, invitation_hash = null,
           invitation_expires_at = null
       where stored.accepted_at is null`,
      [uuidv7(), account.id, input.organizationId, account.email, input.role, account.organization_id],
    );
    if (rowCount === 0) throw new InvalidInput(`${account.email} already belongs to this organization`);
    await endAllAccess(client, account.id);
    const { email, id: uuid } = account;
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "user.create",
      subjectId: uuid,
      detail: { email, role: input.role },
    });
    return { uuid, email, role: input.role, organizationUuid: input.organizationId };
  });
}

/** Where somebody belongs, invitations that they have not accepted included. */
export async function showUser(connection: Connection, wanted: string) {
  return transaction(connection, async (client) => {
    const { id: uuid, email, role } = await lockUserByEmail(client, wanted);
    const { rows } = await client.query<{
      organization_id: string;
      name: string;
      role: string;
      is_accepted: boolean;
      disabled_at: Date | null;
    }>(
      `select membership.organization_id, organization.name, membership.role, membership.is_accepted, membership.disabled_at
       from ${everyMembership} as membership join organizations as organization on organization.id = membership.organization_id
       where membership.user_id = $1 order by organization.name, organization.id`,
      [uuid],
    );
    const memberships = rows.map((row) => ({
      organizationUuid: row.organization_id,
      organizationName: row.name,
      role: row.role,
      acceptedInvitation: row.is_accepted,
      disabledAt: row.disabled_at?.toISOString() ?? null,
    }));
    return { uuid, email, isOperator: role === "operator", memberships };
  });
}
