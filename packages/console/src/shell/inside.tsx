import { lazy } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useApi } from "../api/queries.js";
import { OrganizationContext, rememberedOrganization } from "../session/organization.js";
import { useSession } from "../session/session.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { Layout } from "./layout.js";
import { Pages } from "./pages.js";

const Organizations = lazy(() => import("../organizations/organizations-page.js"));

/** Everything for signed-in people. The organization is part of the address, so a link always means the same page. */
export default function Inside() {
  return (
    <Switch>
      <Route path="/organizations/:organizationUuid" nest>
        {({ organizationUuid }) => <InOrganization key={organizationUuid} uuid={organizationUuid ?? ""} />}
      </Route>
      <Route path="/organizations">
        <Layout>
          <Organizations />
        </Layout>
      </Route>
      <Route>
        <Home />
      </Route>
    </Switch>
  );
}

function Home() {
  const session = useSession();
  const uuid = session.organization?.uuid ?? rememberedOrganization.read();
  return <Redirect to={uuid ? `/organizations/${uuid}` : "/organizations"} replace />;
}

function InOrganization({ uuid }: { uuid: string }) {
  const session = useSession();
  const found = useApi("getOrganization", { parameters: { organizationUuid: uuid } });
  const own = session.organization?.uuid === uuid ? session.organization : undefined;
  const organization = found.data ?? own;
  if (organization) {
    if (session.user.role === "operator") rememberedOrganization.write(organization.uuid);
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
      {found.error ? <Failure error={found.error} retry={() => void found.refetch()} /> : <RowsLoading />}
    </Layout>
  );
}
