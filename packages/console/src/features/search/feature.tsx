import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { SearchBox } from "../../core/ui/search-box.js";
import { texts } from "./texts.js";

function OrganizationSearch() {
  return <SearchBox label={texts.box} placeholder={texts.placeholder} />;
}

export const search: ConsoleFeature = {
  name: "search",
  routes: [{ path: "/search", page: lazy(() => import("./search-page.js")) }],
  slots: { organizationHeader: OrganizationSearch },
};
