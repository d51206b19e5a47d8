import { isUuid, type Location } from "@gatehouse-parking/contract";
import type pg from "pg";
import { NotFoundError } from "../refusals/input-errors.js";

export async function showLocation(
  connection: pg.ClientBase | pg.Pool,
  input: { organizationId: string; locationId: string },
): Promise<Location> {
  const { rows } = isUuid(input.locationId)
    ? await connection.query<Location>(
        `select id as uuid, name, address, city, state, zipcode, time_zone as "timeZone", is_active as "isActive",
                tp_reference_id as "tpReferenceId"
         from locations where organization_id = $1 and id = $2`,
        [input.organizationId, input.locationId],
      )
    : { rows: [] };
  if (!rows[0]) throw new NotFoundError(`There is no location ${input.locationId}`);
  return rows[0];
}
