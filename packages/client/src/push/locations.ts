import type { Location } from "@gatehouse-parking/contract";
import { createClient, type ClientOptions } from "../client.js";
import { csvLine } from "./output/outcome-files.js";

const locationsPerPage = 500;

export async function readLocations(options: ClientOptions): Promise<Location[]> {
  const client = createClient(options);
  const locations: Location[] = [];
  for (let page = 1; ; page += 1) {
    const { data, hasNextPage } = await client.listLocations({ page, pageSize: locationsPerPage });
    locations.push(...data);
    if (!hasNextPage) return locations;
  }
}

/** What a partner needs to know to fill in locationUuid. */
export function locationsText(locations: readonly Location[]): string {
  const columns = ["uuid", "name", "city", "timeZone", "tpReferenceId"] as const;
  const rows = locations.map((location) => columns.map((column) => location[column]));
  return [columns, ...rows].map((cells) => csvLine(cells, ",")).join("");
}
