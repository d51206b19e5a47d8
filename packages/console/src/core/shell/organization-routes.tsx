import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useFeatures, type FeatureRoute } from "../features.js";
import { useMayChange } from "../session/session.js";
import { ErrorBoundary } from "../ui/error-boundary.js";
import { NoSuchPage, NotAllowed, RowsLoading } from "../ui/states.js";

const EditLocation = lazy(() => import("../locations/edit-location-page.js"));

const coreRoutes: FeatureRoute[] = [
  { path: "/imports", page: lazy(() => import("../imports/imports-page.js")) },
  { path: "/imports/:referenceUuid", page: lazy(() => import("../imports/import-page.js")) },
  { path: "/records/:kind", page: lazy(() => import("../records/records-page.js")) },
  { path: "/records/:kind/:recordUuid", page: lazy(() => import("../records/record-page.js")) },
  { path: "/leads", page: lazy(() => import("../leads/leads-page.js")) },
  { path: "/leads/:leadUuid", page: lazy(() => import("../leads/lead-page.js")) },
  { path: "/locations", page: lazy(() => import("../locations/locations-page.js")) },
  { path: "/locations/new", page: EditLocation, onlyAdmins: true },
  {
    path: "/locations/import",
    page: lazy(() => import("../locations/import-locations-page.js")),
    onlyAdmins: true,
  },
  { path: "/locations/:locationUuid", page: EditLocation },
  { path: "/settings/api-keys/:keyUuid", page: lazy(() => import("../api-keys/api-key-page.js")) },
  { path: "/settings/:tab", page: lazy(() => import("../settings/settings-page.js")) },
];

/** The pages of an organization. Each is loaded when it is first opened. */
export function OrganizationRoutes() {
  const [path] = useLocation();
  const mayChange = useMayChange();
  const routes = [...coreRoutes, ...useFeatures().flatMap((feature) => feature.routes ?? [])];
  return (
    <ErrorBoundary page={path}>
      <Suspense fallback={<RowsLoading />}>
        <Switch>
          {routes.map((route) => (
            <Route
              key={route.path}
              path={route.path}
              component={route.onlyAdmins && !mayChange ? NotAllowed : route.page}
            />
          ))}
          <Route path="/">
            <Redirect to="/imports" replace />
          </Route>
          <Route path="/settings">
            <Redirect to="/settings/api-keys" replace />
          </Route>
          <Route component={NoSuchPage} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
