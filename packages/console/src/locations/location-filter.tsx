import { useApi } from "../api/queries.js";
import { SelectFilter } from "../ui/filters.js";

const mostLocations = 500;

/** The organization's locations, as choices. */
export function useLocationChoices() {
  const locations = useApi("listLocations", { query: { pageSize: mostLocations } });
  return (locations.data?.data ?? []).map((location) => ({ value: location.uuid, label: location.name }));
}

export function LocationFilter() {
  const choices = useLocationChoices();
  return <SelectFilter name="location" label="Location" choices={choices} searchable />;
}
