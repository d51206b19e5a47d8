import { Anchor } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, type ComponentType } from "react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { isNotFound, lacksSecondFactor } from "../api/errors.js";
import { useApi } from "../api/queries.js";
import { useFeatures } from "../features.js";
import {
  OrganizationContext,
  rememberedOrganization,
  sessionKey,
  useMayChange,
  useSession,
} from "../session/session.js";
import { lazyPage } from "../ui/lazy-page.js";
import { PageLoading } from "../ui/page.js";
import { Empty, ErrorBoundary, Failure, NoSuchPage, NotAllowed } from "../ui/states.js";
import { coreRoutes } from "./core-routes.js";
import { Layout } from "./layout.js";
import { texts } from "./texts.js";

const Account = lazyPage(() => import("../account/account-page.js"));
const SecondFactorRequired = lazy(() =>
  import("../account/second-factor.js").then(({ SecondFactorRequired }) => ({
    default: SecondFactorRequired,
  })),
);
const Organizations = lazyPage(() => import("../organizations/organizations-page.js"));

/** The pages for signed-in users. The address contains the organization, so that links are unambiguous. */
export function AppRoutes() {
  const { user } = useSession();
  const operatorRoutes = useFeatures().flatMap((feature) => feature.operatorRoutes ?? []);
  return (
    <Switch>
      <Route path="/organizations/:organizationUuid" nest>
        {({ organizationUuid }) => <OrganizationPages key={organizationUuid} uuid={organizationUuid ?? ""} />}
      </Route>
      <Route path="/account">
        <Framed page={Account} />
      </Route>
      <Route path="/organizations">
        <Framed page={Organizations} />
      </Route>
      {operatorRoutes.map(({ path, page }) => (
        <Route key={path} path={path}>
          {user.isOperator ? <Framed page={page} /> : <Home />}
        </Route>
      ))}
      <Route path="/">
        <Home />
      </Route>
      <Route>
        <Framed page={NoSuchPage} />
      </Route>
    </Switch>
  );
}

/** A page outside of any organization. */
function Framed({ page: FramedPage }: { page: ComponentType }) {
  return (
    <Layout>
      <Suspense fallback={<PageLoading />}>
        <FramedPage />
      </Suspense>
    </Layout>
  );
}

/** `/` redirects to the last visited organization, else the first one, else the list. */
function Home() {
  const { organizations } = useSession();
  const remembered = rememberedOrganization.read();
  const own = organizations.find(({ uuid }) => uuid === remembered) ?? organizations[0];
  return <Redirect to={own ? `/organizations/${own.uuid}` : "/organizations"} replace />;
}

function OrganizationPages({ uuid }: { uuid: string }) {
  const session = useSession();
  const client = useQueryClient();
  const found = useApi("getOrganization", { parameters: { organizationUuid: uuid } });
  const own = session.organizations.find((organization) => organization.uuid === uuid);
  const isAbsent = isNotFound(found.error);
  // Removed members see a message instead of pages that fail.
  const organization = isAbsent ? undefined : (found.data ?? own);
  const isLeft = isAbsent && own !== undefined;
  useEffect(() => {
    if (isAbsent) rememberedOrganization.forget();
    else if (found.data) rememberedOrganization.write(uuid);
  }, [isAbsent, found.data, uuid]);
  useEffect(() => {
    if (isLeft) void client.invalidateQueries({ queryKey: sessionKey });
  }, [isLeft, client]);

  if (lacksSecondFactor(found.error)) {
    return (
      <Layout>
        <Suspense fallback={<PageLoading />}>
          <SecondFactorRequired of="one" onDone={() => void found.refetch()} />
        </Suspense>
      </Layout>
    );
  }
  if (organization) {
    return (
      <OrganizationContext value={organization}>
        <Layout>
          <OrganizationRoutes />
        </Layout>
      </OrganizationContext>
    );
  }
  return (
    <Layout>
      {isAbsent ? (
        <Empty
          title={texts.organizations.notFound}
          action={
            <Anchor component={Link} href="~/">
              {texts.organizations.goToOwn}
            </Anchor>
          }
        >
          {texts.organizations.notFoundText}
        </Empty>
      ) : found.error ? (
        <Failure error={found.error} retry={() => void found.refetch()} />
      ) : (
        <PageLoading />
      )}
    </Layout>
  );
}

/** The pages of an organization. Each is loaded when it is first opened. */
function OrganizationRoutes() {
  const [path] = useLocation();
  const mayChange = useMayChange();
  const routes = [...coreRoutes, ...useFeatures().flatMap((feature) => feature.routes ?? [])];
  return (
    <ErrorBoundary page={path}>
      <Suspense fallback={<PageLoading />}>
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
