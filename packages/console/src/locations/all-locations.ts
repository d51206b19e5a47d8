import { locationPages, type Location } from "@gatehouse-parking/contract";
import { useQuery } from "@tanstack/react-query";
import { request } from "../api/client.js";
import { useOrganization } from "../session/organization.js";

/** At the largest pages that the service has, 50,000 locations. */
const mostPages = 100;

/** Every location of the organization, for choices and for the clocks of records. */
export function useAllLocations() {
  const { uuid: organizationUuid } = useOrganization();
  return useQuery({
    queryKey: ["listLocations", { organizationUuid }, "all"],
    queryFn: ({ signal }) => readAllLocations(organizationUuid, signal),
  });
}

/** The organization's locations, as choices. */
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
