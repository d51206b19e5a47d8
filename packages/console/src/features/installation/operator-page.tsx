import { lazy, type ReactNode } from "react";
import { SecondFactorRequired } from "../../core/account/second-factor.js";
import { lacksSecondFactor } from "../../core/api/errors.js";
import { useApi } from "../../core/api/queries.js";
import { useSession } from "../../core/session/session.js";

const InstallationPage = lazy(() => import("./installation-page.js"));
const SearchEverywherePage = lazy(() => import("./search-everywhere-page.js"));

/** If any organization requires a second factor, so do these pages. */
function OperatorPage({ children }: { children: ReactNode }) {
  const { user } = useSession();
  // The service refuses all operations of these pages alike, so one of them tells.
  const service = useApi("getServiceHealth", { enabled: !user.hasSecondFactor });
  return lacksSecondFactor(service.error) ? (
    <SecondFactorRequired of="all" onDone={() => void service.refetch()} />
  ) : (
    children
  );
}

export function Home() {
  return (
    <OperatorPage>
      <InstallationPage />
    </OperatorPage>
  );
}

export function SearchEverywhere() {
  return (
    <OperatorPage>
      <SearchEverywherePage />
    </OperatorPage>
  );
}
