import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createQueryClient } from "./core/api/query-client.js";
import { AuthRoutes } from "./core/session/auth-routes.js";
import { ConnectionBanner } from "./core/shell/connection-banner.js";
import { LeaveGuard } from "./core/shell/leave-guard.js";
import { theme } from "./core/theme/theme.js";
import { lazyPage } from "./core/ui/lazy-page.js";

const SignedInApp = lazyPage(() => import("./signed-in-app.js"));
// While the session is requested.
SignedInApp.preload();

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    // Mantine would write these variables and classes into style elements. They are in theme.css and page.css
    // instead.
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <ConnectionBanner />
        <LeaveGuard>
          <AuthRoutes>
            <SignedInApp />
          </AuthRoutes>
        </LeaveGuard>
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  );
}
