import { locationPages, type Location } from "@gatehouse-parking/contract";
import { useQuery } from "@tanstack/react-query";
import { request } from "../api/client.js";
import type { Filter } from "../lists/filters.js";
import { useOrganization } from "../session/session.js";
import { texts } from "./texts.js";

/** 50,000 locations at the maximum page size. */
const mostPages = 100;

/** All locations of the organization. */
export function useAllLocations() {
  const { uuid: organizationUuid } = useOrganization();
  return useQuery({
    queryKey: ["listLocations", { organizationUuid }, "all"],
    queryFn: ({ signal }) => readAllLocations(organizationUuid, signal),
  });
}

export function useLocationChoices() {
  const locations = useAllLocations();
  return (locations.data ?? []).map((location) => ({ value: location.uuid, label: location.name }));
}

async function readAllLocations(organizationUuid: string, signal: AbortSignal): Promise<Location[]> {
  const locations: Location[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const { data, hasNextPage } = await request("listLocations", {
      parameters: { organizationUuid },
      query: { page, pageSize: locationPages.maxPageSize },
      signal,
    });
    locations.push(...data);
    if (!hasNextPage) break;
  }
  return locations;
}

export function useLocationFilter(): Filter {
  const choices = useLocationChoices();
  return { kind: "choice", name: "location", label: texts.choice, choices, searchable: true };
}
