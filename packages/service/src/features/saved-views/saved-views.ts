import { savedViewLimits } from "@gatehouse-parking/contract";
import type { SavedList, SavedView } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { invalidInput, conflictError, requireText } from "../../core/refusals/user-error.js";
import { uuidv7 } from "../../core/uuidv7.js";

interface Owner {
  organizationId: string;
  userId: string;
}

const columns = "id as uuid, list, name, query";

/** Sorted by name. */
export async function listSavedViews(pool: pg.Pool, { organizationId, userId }: Owner): Promise<SavedView[]> {
  const { rows } = await pool.query<SavedView>(
    `select ${columns} from saved_views where organization_id = $1 and user_id = $2 order by name, id limit $3`,
    [organizationId, userId, savedViewLimits.views],
  );
  return rows;
}

/** Replaces the view of the same name and list. */
export async function saveView(
  pool: pg.Pool,
  { organizationId, userId, ...view }: Owner & { list: SavedList; name: string; query: string },
): Promise<SavedView> {
  const name = requireText("name", view.name, savedViewLimits.name).trim();
  const query = requireQuery(view.query);
  return transaction(pool, async (client) => {
    // Serializes concurrent requests, which are counted.
    await client.query("select from users where id = $1 for no key update", [userId]);
    const replaced = await client.query<SavedView>(
      `update saved_views set query = $5 where organization_id = $1 and user_id = $2 and list = $3 and name = $4
       returning ${columns}`,
      [organizationId, userId, view.list, name, query],
    );
    if (replaced.rows[0]) return replaced.rows[0];
    await requireFewerThanMax(client, { organizationId, userId });
    const { rows } = await client.query<SavedView>(
      `insert into saved_views (organization_id, user_id, list, name, query, id) values ($1, $2, $3, $4, $5, $6)
       returning ${columns}`,
      [organizationId, userId, view.list, name, query, uuidv7()],
    );
    return rows[0] as SavedView;
  });
}

/** Does nothing if the view does not exist or belongs to another user. */
export async function removeSavedView(
  pool: pg.Pool,
  { organizationId, userId, viewId }: Owner & { viewId: string },
): Promise<void> {
  await pool.query("delete from saved_views where organization_id = $1 and user_id = $2 and id = $3", [
    organizationId,
    userId,
    viewId,
  ]);
}

async function requireFewerThanMax(client: pg.PoolClient, { organizationId, userId }: Owner): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from saved_views where organization_id = $1 and user_id = $2",
    [organizationId, userId],
  );
  if ((rows[0]?.count ?? 0) >= savedViewLimits.views)
    throw conflictError(
      `You have ${savedViewLimits.views} saved views, which is the maximum. Remove some of them`,
    );
}

/** Percent-encoded, as browsers do it: ASCII without spaces and quotation marks. */
function requireQuery(query: string): string {
  if (query.length > savedViewLimits.query || !/^[!#-;=?-~]*$/.test(query))
    throw invalidInput(
      `query must be the query string of a page without its question mark, at most ${savedViewLimits.query} characters`,
    );
  return query;
}
