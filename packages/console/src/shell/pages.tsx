import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useMayChange } from "../session/session.js";
import { Boundary } from "../ui/boundary.js";
import { NoSuchPage, NotAllowed, RowsLoading } from "../ui/states.js";

const Overview = lazy(() => import("../overview/overview-page.js"));
const Runs = lazy(() => import("../imports/runs-page.js"));
const Run = lazy(() => import("../imports/run-page.js"));
const Requests = lazy(() => import("../requests/requests-page.js"));
const Records = lazy(() => import("../records/records-page.js"));
const RecordPage = lazy(() => import("../records/record-page.js"));
const Search = lazy(() => import("../search/search-page.js"));
const Leads = lazy(() => import("../leads/leads-page.js"));
const Lead = lazy(() => import("../leads/lead-page.js"));
const People = lazy(() => import("../people/people-page.js"));
const Locations = lazy(() => import("../locations/locations-page.js"));
const EditLocation = lazy(() => import("../locations/edit-location-page.js"));
const ImportLocations = lazy(() => import("../locations/import-locations-page.js"));
const Uploads = lazy(() => import("../uploads/list/uploads-page.js"));
const NewUpload = lazy(() => import("../uploads/new-upload-page.js"));
const Upload = lazy(() => import("../uploads/upload/upload-page.js"));
const Sandbox = lazy(() => import("../sandbox/sandbox-page.js"));
const Settings = lazy(() => import("../settings/settings-page.js"));
const KeyPage = lazy(() => import("../settings/api-keys/key-page.js"));

/** Every page of an organization. Each is loaded when it is first opened. */
export function Pages() {
  const [path] = useLocation();
  const mayChange = useMayChange();
  return (
    <Boundary page={path}>
      <Suspense fallback={<RowsLoading />}>
        <Switch>
          <Route path="/" component={Overview} />
          <Route path="/imports" component={Runs} />
          <Route path="/imports/:referenceUuid" component={Run} />
          <Route path="/requests" component={Requests} />
          <Route path="/records/:kind" component={Records} />
          <Route path="/records/:kind/:recordUuid" component={RecordPage} />
          <Route path="/search" component={Search} />
          <Route path="/leads" component={Leads} />
          <Route path="/leads/:leadUuid" component={Lead} />
          <Route path="/people" component={mayChange ? People : NotAllowed} />
          <Route path="/locations" component={Locations} />
          <Route path="/locations/new" component={mayChange ? EditLocation : NotAllowed} />
          <Route path="/locations/import" component={mayChange ? ImportLocations : NotAllowed} />
          <Route path="/locations/:locationUuid" component={EditLocation} />
          <Route path="/uploads" component={Uploads} />
          <Route path="/uploads/new" component={mayChange ? NewUpload : NotAllowed} />
          <Route path="/uploads/:uploadUuid" component={Upload} />
          <Route path="/sandbox" component={Sandbox} />
          <Route path="/settings">
            <Redirect to="/settings/api-keys" replace />
          </Route>
          <Route path="/settings/api-keys/:keyUuid" component={KeyPage} />
          <Route path="/settings/:tab" component={Settings} />
          <Route component={NoSuchPage} />
        </Switch>
      </Suspense>
    </Boundary>
  );
}
