import type { Location } from "@gatehouse-parking/contract";
import type pg from "pg";
import { toPage, type Page, type PageRequest } from "../operations/paging.js";

/** Different words beyond this many of a search are not looked at. */
const maxSearchWords = 64;

/**
 * One statement for the page and the total. Every word must occur in the name, the address or the city; position()
 * rather than LIKE, so that % and _ mean themselves. The database lowers both sides, because what it takes for the
 * lower case of a letter depends on its locale.
 */
export const locationsStatement = `
  with matching as materialized (
    select id, name, address, city, state, zipcode, time_zone, is_active, tp_reference_id
    from locations as location
    where organization_id = $1
      and not exists (
        select from unnest($2::text[]) as word
        where position(lower(word) in lower(location.name)) = 0
          and position(lower(word) in lower(location.address)) = 0
          and position(lower(word) in lower(location.city)) = 0
      )
  ), page as (
    select id as uuid, name, address, city, state, zipcode, time_zone as "timeZone", is_active as "isActive",
           tp_reference_id as "tpReferenceId"
    from matching
    order by name collate "C", id
    limit $3 offset $4
  )
  select (select count(*) from matching) as total,
         coalesce((select json_agg(page) from page), '[]') as data`;

export async function listLocations(
  pool: pg.Pool,
  input: { organizationId: string; query: string | undefined; page: PageRequest },
): Promise<Page<Location>> {
  const words = [...new Set((input.query ?? "").split(/\s+/).filter(Boolean))].slice(0, maxSearchWords);
  const { page, pageSize } = input.page;
  const { rows } = await pool.query<{ total: number; data: string }>({
    name: "list-locations",
    text: locationsStatement,
    values: [input.organizationId, words.map(storable), pageSize, (page - 1) * pageSize],
  });
  const { total, data } = rows[0] as { total: number; data: string };
  return toPage(JSON.parse(data) as Location[], total, input.page);
}

/** Far more than any operator has. */
const maxLocationsOfFile = 100_000;

/** What files may tell of an organization's locations. */
export async function readAllLocations(
  pool: pg.Pool,
  organizationId: string,
): Promise<Pick<Location, "uuid" | "name" | "tpReferenceId" | "timeZone">[]> {
  const { rows } = await pool.query<Pick<Location, "uuid" | "name" | "tpReferenceId" | "timeZone">>(
    `select id as uuid, name, tp_reference_id as "tpReferenceId", time_zone as "timeZone"
     from locations where organization_id = $1 order by id limit $2`,
    [organizationId, maxLocationsOfFile],
  );
  return rows;
}

/** No stored text contains U+0000, and PostgreSQL takes none as a parameter; U+FFFF stands in and matches nothing. */
function storable(word: string): string {
  return word.replaceAll("\u0000", "\uffff");
}
