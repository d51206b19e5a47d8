import type pg from "pg";
import { databaseTrouble } from "../database/sqlstate.js";
import { askInGroupsByKey } from "../scheduling/ask-in-groups-by-key.js";
import type { Tracer } from "../telemetry/tracer.js";
import { storeLeads, type NewLead, type StoredLead } from "./store-leads.js";

const maxTogether = 64;
/** Metadata is the one part of a lead that can be large. So much of it is written down without holding others up. */
const maxMetadataCharacters = 2_097_152;

type Outcome = PromiseSettledResult<StoredLead | undefined>;

/**
 * Leads of one organization that arrive together are stored together, in one statement and one commit. So a flood of
 * them costs the database little, and takes one of its connections: others have theirs.
 */
export function storeTogether(
  pool: pg.Pool,
  tracer: Tracer,
): (lead: NewLead) => Promise<StoredLead | undefined> {
  const store = askInGroupsByKey(
    ({ organizationId }: NewLead) => organizationId,
    (leads) => storeOrPart(pool, leads),
    {
      maxGroup: maxTogether,
      weight: { of: ({ lead }) => lead.metadata?.length ?? 0, max: maxMetadataCharacters },
      tracer,
    },
  );
  return async (lead) => {
    const outcome = await store(lead);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
}

/** What the database refuses in one lead, or what collided with others' work, must not cost those beside it. */
async function storeOrPart(pool: pg.Pool, leads: readonly NewLead[]): Promise<Outcome[]> {
  try {
    const stored = await storeLeads(pool, leads);
    return stored.map((value) => ({ status: "fulfilled", value }));
  } catch (reason) {
    if (leads.length === 1) return [{ status: "rejected", reason }];
    const trouble = databaseTrouble(reason);
    if (trouble !== "refused" && trouble !== "conflict") throw reason;
  }
  const outcomes: Outcome[] = [];
  for (const lead of leads) outcomes.push(...(await storeOrPart(pool, [lead])));
  return outcomes;
}
