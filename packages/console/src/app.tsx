import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createQueryClient } from "./api/query-client.js";
import { Entrance } from "./session/entrance.js";
import { ConnectionBanner } from "./shell/connection-banner.js";
import { LeaveGuard } from "./shell/leave-guard.js";
import { theme } from "./theme/theme.js";

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    // The variables and classes the library would write into style elements are in theme.css and page.css.
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <ConnectionBanner />
        <LeaveGuard>
          <Entrance />
        </LeaveGuard>
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  );
}
