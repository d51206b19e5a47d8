import { locationPages, type Location } from "@gatehouse-parking/contract";
import type { QueryOf } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import type { Column } from "../entities/columns.js";
import { storedLocation } from "../entities/entities.js";
import { fetchInBatches, naturalOrder, searchable } from "../database/sql.js";
import { toPage, type Page, type PageRequest } from "../operations/paging.js";
import { locationColumns, toLocation } from "./manage-locations.js";
import { TimeSlice } from "../scheduling/time-slice.js";

/** Only this many different words of a search are used. */
const maxSearchWords = 64;

/**
 * Every word must occur in the name, the address or the city. Words contain no white space, so none can match
 * across two of these. The database lowercases both sides, because lower case depends on its locale.
 */
const hasEveryWord =
  "lower(name || E'\\n' || address || E'\\n' || city) like all (string_to_array(lower($4), ' '))";

/**
 * The page, with the total in each row. One table and no subquery, because a distributed database passes such
 * a statement on to its shard without planning it again.
 */
const pageStatement = (order: string, isSearch: boolean): string => `
  select ${locationColumns}, count(*) over () as total
  from locations
  where organization_id = $1 ${isSearch ? `and ${hasEveryWord}` : ""}
  order by ${order}
  limit $2 offset $3`;

const byName = 'name collate "C", id';
export const locationsStatement = pageStatement(byName, false);
const searchStatement = pageStatement(byName, true);

type LocationSort = NonNullable<QueryOf<"listLocations">["sort"]>;

/** The order of the console's lists. Equal values are sorted by name. */
function orderBy(sort: LocationSort): string {
  const isDownwards = sort.startsWith("-");
  const field = isDownwards ? sort.slice(1) : sort;
  const { name, kind } = storedLocation.columns.find((column) => column.field === field) as Column;
  const column = kind === "text" ? `${naturalOrder(name)} collate "C"` : name;
  return `${column} ${isDownwards ? "desc" : "asc"} nulls last, ${naturalOrder("name")} collate "C", id`;
}

export interface LocationQuestion {
  organizationId: string;
  query: string | undefined;
  page: PageRequest;
  sort?: LocationSort | undefined;
}

export async function listLocations(pool: pg.Pool, input: LocationQuestion): Promise<Page<Location>> {
  const words = [...new Set((input.query ?? "").split(/\s+/).filter(Boolean))].slice(0, maxSearchWords);
  const ask = async ({ page, pageSize }: PageRequest): Promise<LocationRow[]> => {
    const statement: pg.QueryConfig = {
      ...statementFor(words.length > 0, input.sort),
      values: [
        input.organizationId,
        pageSize,
        (page - 1) * pageSize,
        ...(words.length > 0 ? [words.map(patternOf).join(" ")] : []),
      ],
    };
    const isLong = pageSize > locationPages.maxPageSize;
    return (await pool.query<LocationRow>(isLong ? fetchInBatches(statement) : statement)).rows;
  };

  const rows = await ask(input.page);
  // Past the end, no row contains the total.
  const [counted] = rows.length > 0 || input.page.page === 1 ? rows : await ask({ page: 1, pageSize: 1 });
  return toPage(await toLocations(rows), counted?.total ?? 0, input.page);
}

interface LocationRow {
  [column: string]: unknown;
  total: number;
}

async function toLocations(rows: readonly LocationRow[]): Promise<Location[]> {
  const budget = new TimeSlice();
  const locations: Location[] = [];
  for (const row of rows) {
    locations.push(toLocation(row));
    if (budget.isSpent) await budget.giveWay();
  }
  return locations;
}

function statementFor(isSearch: boolean, sort: LocationSort | undefined): { name?: string; text: string } {
  if (sort !== undefined) return { text: pageStatement(orderBy(sort), isSearch) };
  return isSearch
    ? { name: "search-locations", text: searchStatement }
    : { name: "list-locations", text: locationsStatement };
}

/** The LIKE pattern of a word, with % and _ escaped. */
function patternOf(word: string): string {
  return `%${searchable(word.replaceAll(/[\\%_]/g, String.raw`\$&`))}%`;
}

/** Far more than any organization has. */
const maxLocationsOfFile = 100_000;

/** The columns that exports of an organization's locations contain. */
export async function readAllLocations(
  pool: pg.Pool,
  organizationId: string,
): Promise<Pick<Location, "uuid" | "name" | "tpReferenceId" | "timeZone">[]> {
  const { rows } = await pool.query<Pick<Location, "uuid" | "name" | "tpReferenceId" | "timeZone">>(
    fetchInBatches({
      text: `select id as uuid, name, tp_reference_id as "tpReferenceId", time_zone as "timeZone"
             from locations where organization_id = $1 order by id limit $2`,
      values: [organizationId, maxLocationsOfFile],
    }),
  );
  return rows;
}
