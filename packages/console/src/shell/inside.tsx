import { Anchor } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { Link, Redirect, Route, Switch } from "wouter";
import { isNotFound, lacksSecondFactor } from "../api/failure.js";
import { useApi } from "../api/queries.js";
import { OrganizationContext, rememberedOrganization } from "../session/organization.js";
import { sessionKey, useSession } from "../session/session.js";
import { Empty, Failure, NoSuchPage, RowsLoading } from "../ui/states.js";
import { Layout } from "./layout.js";
import { Pages } from "./pages.js";

const Account = lazy(() => import("../account/account-page.js"));
const SecondFactorRequired = lazy(() => import("../account/second-factor-required.js"));
const InstallationHome = lazy(() => import("../installation/home-page.js"));
const SearchEverywhere = lazy(() => import("../installation/search-everywhere-page.js"));
const Organizations = lazy(() => import("../organizations/organizations-page.js"));

/** Everything for signed-in people. The organization is part of the address, so a link always means the same page. */
export default function Inside() {
  return (
    <Switch>
      <Route path="/organizations/:organizationUuid" nest>
        {({ organizationUuid }) => <InOrganization key={organizationUuid} uuid={organizationUuid ?? ""} />}
      </Route>
      <Route path="/account">
        <Layout>
          <Suspense fallback={<RowsLoading />}>
            <Account />
          </Suspense>
        </Layout>
      </Route>
      <Route path="/organizations">
        <Layout>
          <Organizations />
        </Layout>
      </Route>
      <Route path="/search">
        <ForOperators>
          <SearchEverywhere />
        </ForOperators>
      </Route>
      <Route path="/">
        <ForOperators>
          <InstallationHome />
        </ForOperators>
      </Route>
      <Route>
        <Layout>
          <NoSuchPage />
        </Layout>
      </Route>
    </Switch>
  );
}

/** What is above all organizations; whoever is no operator is led to their own. */
function ForOperators({ children }: { children: ReactNode }) {
  const { user } = useSession();
  // Whatever of all organizations is asked for is refused alike, so one of the questions tells.
  const service = useApi("getServiceHealth", { enabled: user.isOperator && !user.hasSecondFactor });
  if (!user.isOperator) return <OwnHome />;
  return (
    <Layout>
      <Suspense fallback={<RowsLoading />}>
        {lacksSecondFactor(service.error) ? (
          <SecondFactorRequired of="all" onDone={() => void service.refetch()} />
        ) : (
          children
        )}
      </Suspense>
    </Layout>
  );
}

/** Where `/` leads for members: to the organization looked at last if it is open to them, the first of theirs, or the list. */
function OwnHome() {
  const { organizations } = useSession();
  const remembered = rememberedOrganization.read();
  const own = organizations.find(({ uuid }) => uuid === remembered) ?? organizations[0];
  return <Redirect to={own ? `/organizations/${own.uuid}` : "/organizations"} replace />;
}

function InOrganization({ uuid }: { uuid: string }) {
  const session = useSession();
  const client = useQueryClient();
  const found = useApi("getOrganization", { parameters: { organizationUuid: uuid } });
  const own = session.organizations.find((organization) => organization.uuid === uuid);
  const isAbsent = isNotFound(found.error);
  // Whoever was taken out of it meanwhile is told so, in place of pages on which nothing works.
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
        <Suspense fallback={<RowsLoading />}>
          <SecondFactorRequired of="one" onDone={() => void found.refetch()} />
        </Suspense>
      </Layout>
    );
  }
  if (organization) {
    return (
      <OrganizationContext value={organization}>
        <Layout>
          <Pages />
        </Layout>
      </OrganizationContext>
    );
  }
  return (
    <Layout>
      {isAbsent ? (
        <Empty
          title="Organization not found"
          action={
            <Anchor component={Link} href="~/">
              Go to your organization
            </Anchor>
          }
        >
          It may have been removed, or you may not be a member of it.
        </Empty>
      ) : found.error ? (
        <Failure error={found.error} retry={() => void found.refetch()} />
      ) : (
        <RowsLoading />
      )}
    </Layout>
  );
}
