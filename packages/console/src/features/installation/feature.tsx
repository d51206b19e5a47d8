import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { IconHeartbeat, IconHistory, IconUsers } from "../../core/ui/icons.js";
import { FoundOrganizations } from "./found-organizations.js";
import { texts } from "./texts.js";

export const installation: ConsoleFeature = {
  name: "installation",
  operatorRoutes: [
    { path: "/", page: lazyPage(() => import("./installation-page.js")) },
    { path: "/search", page: lazyPage(() => import("./search-everywhere-page.js")) },
    { path: "/operators", page: lazyPage(() => import("./operators-page.js")) },
    { path: "/audit", page: lazyPage(() => import("./installation-audit-page.js")) },
  ],
  operatorNavigation: [
    { to: "/", label: texts.navigation, icon: IconHeartbeat, group: "start", order: 10 },
    { to: "/operators", label: texts.operators.title, icon: IconUsers, group: "manage", order: 10 },
    { to: "/audit", label: texts.audit.title, icon: IconHistory, group: "manage", order: 20 },
  ],
  slots: { searchResults: FoundOrganizations },
};
