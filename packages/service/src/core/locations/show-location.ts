import { isUuid, type Location } from "@gatehouse-parking/contract";
import type pg from "pg";
import { locationColumns, toLocation } from "./manage-locations.js";
import { notFoundError } from "../refusals/user-error.js";

export async function showLocation(
  connection: pg.ClientBase | pg.Pool,
  input: { organizationId: string; locationId: string },
): Promise<Location> {
  const { rows } = isUuid(input.locationId)
    ? await connection.query<Record<string, unknown>>(
        `select ${locationColumns} from locations where organization_id = $1 and id = $2`,
        [input.organizationId, input.locationId],
      )
    : { rows: [] };
  if (!rows[0]) throw notFoundError(`There is no location ${input.locationId}`);
  return toLocation(rows[0]);
}
