import { SelectFilter } from "../ui/filters.js";
import { useLocationChoices } from "./all-locations.js";

export function LocationFilter() {
  const choices = useLocationChoices();
  return <SelectFilter name="location" label="Location" choices={choices} searchable />;
}
