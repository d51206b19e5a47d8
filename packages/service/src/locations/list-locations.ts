import type { Location } from "@gatehouse-parking/contract";
import type { locationSorts, QueryOf } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { toPage, type Page, type PageRequest } from "../operations/paging.js";

/** Different words beyond this many of a search are not looked at. */
const maxSearchWords = 64;

/**
 * One statement for the page and the total. Every word must occur in the name, the address or the city; position()
 * rather than LIKE, so that % and _ mean themselves. The database lowers both sides, because what it takes for the
 * lower case of a letter depends on its locale.
 */
const statementBy = (order: string): string => `
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
    order by ${order}
    limit $3 offset $4
  )
  select (select count(*) from matching) as total,
         coalesce((select json_agg(page) from page), '[]') as data`;
export const locationsStatement = statementBy('name collate "C", id');

type LocationSort = NonNullable<QueryOf<"listLocations">["sort"]>;

/** Text by its characters, as the name always was; what is the same goes by name. */
const sorted: Record<(typeof locationSorts)[number], string> = {
  name: 'name collate "C"',
  city: 'city collate "C"',
  state: 'state collate "C"',
  zipcode: 'zipcode collate "C"',
  timeZone: 'time_zone collate "C"',
  isActive: "is_active",
  tpReferenceId: 'tp_reference_id collate "C"',
};

function orderBy(sort: LocationSort): string {
  const isDownwards = sort.startsWith("-");
  const column = sorted[(isDownwards ? sort.slice(1) : sort) as (typeof locationSorts)[number]];
  const direction = isDownwards ? "desc nulls last" : "asc nulls last";
  return `${column} ${direction}, name collate "C", id`;
}

export async function listLocations(
  pool: pg.Pool,
  input: {
    organizationId: string;
    query: string | undefined;
    page: PageRequest;
    sort?: LocationSort | undefined;
  },
): Promise<Page<Location>> {
  const words = [...new Set((input.query ?? "").split(/\s+/).filter(Boolean))].slice(0, maxSearchWords);
  const { page, pageSize } = input.page;
  const { rows } = await pool.query<{ total: number; data: string }>({
    ...(input.sort === undefined
      ? { name: "list-locations", text: locationsStatement }
      : { text: statementBy(orderBy(input.sort)) }),
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
