import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { SearchBox } from "../../core/ui/search-box.js";

function OrganizationSearch() {
  return (
    <SearchBox
      label="Search records, runs and leads"
      placeholder="Search by reference, UUID, e-mail or plate"
    />
  );
}

export const search: ConsoleFeature = {
  name: "search",
  routes: [{ path: "/search", page: lazy(() => import("./search-page.js")) }],
  slots: { organizationHeader: OrganizationSearch },
};
