import { maxChangedLeads } from "@gatehouse-parking/contract";
import type { LeadWorkState } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { actorName, changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { nowMs } from "../clock.js";
import { transaction } from "../database/transaction.js";
import { invalidInput, notFoundError, versionConflictError, requireVersion } from "../refusals/user-error.js";
import { assigneeKeyOf } from "./assignees.js";
import { versionOfLead, type LeadStates } from "./list-leads.js";

/** Leads can be moved to and from quarantine, have a state of work, and can be assigned. */
interface LeadChange {
  state?: "accepted" | "quarantined";
  workState?: LeadWorkState;
  /** A member; null: no one. */
  assigneeUuid?: string | null;
}
type WantedStates = Partial<LeadStates>;
interface ChangedLead {
  uuid: string;
  version?: string;
}
interface LockedLead extends LeadStates {
  /** Whether lead_work has a row. */
  isWorkedOn: boolean;
}

/** Actions in the audit log. Release 1.0.0 looks there for who quarantined a lead, so work has another name. */
export const quarantining = "lead.update";
const working = "lead.work";
const changingSeveral = "lead.update-several";

export async function changeLead(
  pool: pg.Pool,
  input: LeadChange & ChangedLead & { organizationId: string; actor: Actor },
): Promise<void> {
  const { organizationId, actor, uuid: leadId, version } = input;
  await transaction(pool, async (client) => {
    const wanted = await readChange(client, input);
    const before = (await lockLeads(client, organizationId, [leadId])).get(leadId);
    if (!before) throw notFoundError(`There is no lead ${leadId}`);
    requireVersion("This lead", versionOfLead(before), version);
    const after = { ...before, ...wanted };
    await store(client, { organizationId, actor, wanted, before: new Map([[leadId, before]]) });
    await writeAudit(client, {
      organizationId,
      actor,
      action: wanted.state === undefined ? working : quarantining,
      subjectId: leadId,
      detail: changesBetween(before, after),
    });
  });
}

/** Changes all of them or none. Returns how many changed. */
export async function changeLeads(
  pool: pg.Pool,
  input: LeadChange & { leads: readonly ChangedLead[]; organizationId: string; actor: Actor },
): Promise<number> {
  const { organizationId, actor } = input;
  const versions = new Map(input.leads.map(({ uuid, version }) => [uuid.toLowerCase(), version]));
  if (versions.size === 0) throw invalidInput("Name the leads that are to be changed");
  if (input.leads.length > maxChangedLeads)
    throw invalidInput(`At most ${maxChangedLeads} leads can be changed at once`);
  const ids = [...versions.keys()];
  return transaction(pool, async (client) => {
    const wanted = await readChange(client, input);
    const before = await lockLeads(client, organizationId, ids);
    const missing = ids.filter((id) => !before.has(id)).length;
    if (missing > 0) throw notFoundError(`${missing} of these leads no longer exist. Nothing was changed`);
    const outdated = ids.filter((id) => isOutdated(before.get(id) as LockedLead, versions.get(id))).length;
    if (outdated > 0)
      throw versionConflictError(
        `${outdated} of these leads were changed since you opened them. Nothing was changed`,
      );
    const changed = await store(client, { organizationId, actor, wanted, before });
    await writeAudit(client, {
      organizationId,
      actor,
      action: changingSeveral,
      detail: { ...wanted, count: ids.length, changed, leads: ids },
    });
    return changed;
  });
}

async function readChange(
  client: pg.PoolClient,
  { organizationId, state, workState, assigneeUuid }: LeadChange & { organizationId: string },
): Promise<WantedStates> {
  if (state === undefined && workState === undefined && assigneeUuid === undefined)
    throw invalidInput("Give the new state, workState or assigneeUuid");
  return {
    ...(state && { state }),
    ...(workState && { workState }),
    ...(assigneeUuid !== undefined && {
      assignee: await assigneeKeyOf(client, organizationId, assigneeUuid),
    }),
  };
}

function isOutdated(stored: LeadStates, version: string | undefined): boolean {
  return version !== undefined && version !== versionOfLead(stored);
}

/**
 * Locks the leads before it reads the work, so that it reads the latest.
 */
async function lockLeads(
  client: pg.PoolClient,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, LockedLead>> {
  const { rows: leads } = await client.query<{ id: string; state: string; assignee_key: string | null }>(
    `select id, state, assignee_key from leads where organization_id = $1 and id = any ($2::uuid[]) order by id for update`,
    [organizationId, ids],
  );
  const { rows: work } = await client.query<{ lead_id: string; state: string }>(
    "select lead_id, state from lead_work where organization_id = $1 and lead_id = any ($2::uuid[])",
    [organizationId, ids],
  );
  const workStates = new Map(work.map((row) => [row.lead_id, row.state]));
  return new Map(
    leads.map(({ id, state, assignee_key: assignee }) => {
      const workState = workStates.get(id);
      return [id, { state, workState: workState ?? "new", assignee, isWorkedOn: workState !== undefined }];
    }),
  );
}

/**
 * A fixed number of statements, for one lead or a hundred. Leads that are in the state already keep who put
 * them there.
 */
async function store(
  client: pg.PoolClient,
  {
    organizationId,
    actor,
    wanted,
    before,
  }: { organizationId: string; actor: Actor; wanted: WantedStates; before: ReadonlyMap<string, LockedLead> },
): Promise<number> {
  const differing = (field: keyof LeadStates) =>
    [...before].filter(([, states]) => states[field] !== wanted[field]).map(([id]) => id);
  const changed = new Set<string>();
  if (wanted.state !== undefined) {
    const ids = differing("state");
    await client.query(
      `update leads set state = $3, state_changed_by = $4, state_changed_at = now()
       where organization_id = $1 and id = any ($2::uuid[])`,
      [organizationId, ids, wanted.state, actorName(actor)],
    );
    for (const id of ids) changed.add(id);
  }
  if (wanted.workState !== undefined) {
    const ids = differing("workState");
    const values = [wanted.workState, actorName(actor), new Date(nowMs())];
    // Two statements, because one that inserts or updates cannot be sent to a shard. The rows are locked, so
    // nothing comes in between.
    const isKnown = (id: string) => before.get(id)?.isWorkedOn;
    await client.query(
      `update lead_work set state = $3, changed_by = $4, changed_at = $5
       where organization_id = $1 and lead_id = any ($2::uuid[])`,
      [organizationId, ids.filter(isKnown), ...values],
    );
    // The organization is read from the lead, so that a distributed database sees that both are on the same
    // shard.
    await client.query(
      `insert into lead_work (organization_id, lead_id, state, changed_by, changed_at)
       select lead.organization_id, lead.id, $3, $4, $5::timestamptz from leads as lead
       where lead.organization_id = $1 and lead.id = any ($2::uuid[])`,
      [organizationId, ids.filter((id) => !isKnown(id)), ...values],
    );
    for (const id of ids) changed.add(id);
  }
  if (wanted.assignee !== undefined) {
    const ids = differing("assignee");
    await client.query(
      "update leads set assignee_key = $3 where organization_id = $1 and id = any ($2::uuid[])",
      [organizationId, ids, wanted.assignee],
    );
    for (const id of ids) changed.add(id);
  }
  return changed.size;
}
