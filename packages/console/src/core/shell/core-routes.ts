import type { FeatureRoute } from "../features.js";
import { lazyPage } from "../ui/lazy-page.js";

const EditLocation = lazyPage(() => import("../locations/edit-location-page.js"));

/** Pages of an organization. */
export const coreRoutes: FeatureRoute[] = [
  { path: "/imports", page: lazyPage(() => import("../imports/imports-page.js")) },
  { path: "/imports/:referenceUuid", page: lazyPage(() => import("../imports/import-page.js")) },
  { path: "/records/:kind", page: lazyPage(() => import("../records/records-page.js")) },
  { path: "/records/:kind/:recordUuid", page: lazyPage(() => import("../records/record-page.js")) },
  { path: "/leads", page: lazyPage(() => import("../leads/leads-page.js")) },
  { path: "/leads/:leadUuid", page: lazyPage(() => import("../leads/lead-page.js")) },
  { path: "/locations", page: lazyPage(() => import("../locations/locations-page.js")) },
  { path: "/locations/new", page: EditLocation, onlyAdmins: true },
  {
    path: "/locations/import",
    page: lazyPage(() => import("../locations/import-locations-page.js")),
    onlyAdmins: true,
  },
  { path: "/locations/:locationUuid", page: EditLocation },
  { path: "/settings/api-keys/:keyUuid", page: lazyPage(() => import("../api-keys/api-key-page.js")) },
  { path: "/settings/:tab", page: lazyPage(() => import("../settings/settings-page.js")) },
];
