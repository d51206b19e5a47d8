import { FeaturesProvider } from "./core/features.js";
import { rememberedOrganization } from "./core/session/session.js";
import { preloadPage } from "./core/shell/preload.js";
import { AppRoutes } from "./core/shell/routes.js";
import { features } from "./features.js";

const { pathname } = window.location;
const remembered = rememberedOrganization.read();
if (pathname !== "/") preloadPage(features, pathname);
// `/` leads there.
else if (remembered) preloadPage(features, `/organizations/${remembered}`);

/** The core's pages with those of the features. Loaded after signing in. */
export default function SignedInApp() {
  return (
    <FeaturesProvider features={features}>
      <AppRoutes />
    </FeaturesProvider>
  );
}
