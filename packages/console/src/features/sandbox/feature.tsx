import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { IconTestPipe } from "../../core/ui/icons.js";

export const sandbox: ConsoleFeature = {
  name: "sandbox",
  routes: [{ path: "/sandbox", page: lazyPage(() => import("./sandbox-page.js")) }],
  navigation: [
    {
      to: "/sandbox",
      label: "Sandbox",
      icon: IconTestPipe,
      group: "manage",
      order: 30,
      isShown: ({ isDemo }) => isDemo,
    },
  ],
};
