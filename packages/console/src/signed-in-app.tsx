import { FeaturesProvider } from "./core/features.js";
import { AppRoutes } from "./core/shell/routes.js";
import { features } from "./features.js";

/** The core's pages with those of the features. Loaded after signing in. */
export default function SignedInApp() {
  return (
    <FeaturesProvider features={features}>
      <AppRoutes />
    </FeaturesProvider>
  );
}
