import { isUuid } from "@gatehouse-parking/contract";
import type { LeadAssignee, LeadFilters } from "@gatehouse-parking/contract/console";
import type { Connection } from "../database/transaction.js";
import { accountKey } from "../organizations/account-email.js";
import { listMembers, type Member } from "../organizations/members.js";
import { invalidInput } from "../refusals/user-error.js";

/**
 * A lead stores the email key of its assignee. The key counts as long as a member has it: leads of a former member are
 * assigned to no one without a write, and an invited person keeps their leads when they accept.
 */
interface Assigned {
  assignee_key: string | null;
}

async function membersByKey(
  connection: Connection,
  organizationId: string,
): Promise<ReadonlyMap<string, Member>> {
  const members = await listMembers(connection, organizationId);
  return new Map(members.map((member) => [accountKey(member.email), member]));
}

/** Adds the assignee to each lead. */
export async function withAssignees<Lead extends Assigned>(
  connection: Connection,
  organizationId: string,
  leads: readonly Lead[],
): Promise<(Lead & { assignee: LeadAssignee | null })[]> {
  const isAnyAssigned = leads.some((lead) => lead.assignee_key !== null);
  const members = isAnyAssigned ? await membersByKey(connection, organizationId) : undefined;
  return leads.map((lead) => {
    const member = lead.assignee_key === null ? undefined : members?.get(lead.assignee_key);
    return { ...lead, assignee: member ? { uuid: member.uuid, email: member.email } : null };
  });
}

/** The key to store for this member, or null for no one. */
export async function assigneeKeyOf(
  connection: Connection,
  organizationId: string,
  memberUuid: string | null,
): Promise<string | null> {
  if (memberUuid === null) return null;
  for (const [key, member] of await membersByKey(connection, organizationId))
    if (member.uuid === memberUuid.toLowerCase()) {
      if (member.disabledAt !== null) throw invalidInput(`${member.email} is disabled and cannot get leads`);
      return key;
    }
  throw invalidInput(`The organization has no member ${memberUuid}`);
}

/** The keys that a filter includes; for `unassigned`, those that it excludes. */
export async function keysOfFilter(
  connection: Connection,
  { organizationId, reader, assignee }: LeadFilters & { organizationId: string; reader: string },
): Promise<string[] | undefined> {
  if (assignee === undefined) return undefined;
  if (assignee === "me") return [accountKey(reader)];
  if (assignee !== "unassigned" && !isUuid(assignee))
    throw invalidInput("assignee must be me, unassigned or the uuid of a member");
  const members = await membersByKey(connection, organizationId);
  const isIncluded = (member: Member) => assignee === "unassigned" || member.uuid === assignee.toLowerCase();
  return [...members].filter(([, member]) => isIncluded(member)).map(([key]) => key);
}
