import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { SearchBox } from "../../core/ui/search-box.js";

function OrganizationSearch() {
  return (
    <SearchBox
      label="Search records, imports and leads"
      placeholder="Search by reference, UUID, email or plate"
    />
  );
}

export const search: ConsoleFeature = {
  name: "search",
  routes: [{ path: "/search", page: lazy(() => import("./search-page.js")) }],
  slots: { organizationHeader: OrganizationSearch },
};
