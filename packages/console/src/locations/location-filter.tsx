import { SelectFilter } from "../ui/filters.js";
import { useAllLocations } from "./all-locations.js";

/** The organization's locations, as choices. */
export function useLocationChoices() {
  const locations = useAllLocations();
  return (locations.data ?? []).map((location) => ({ value: location.uuid, label: location.name }));
}

export function LocationFilter() {
  const choices = useLocationChoices();
  return <SelectFilter name="location" label="Location" choices={choices} searchable />;
}
