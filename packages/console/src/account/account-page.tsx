import { Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSession } from "../session/session.js";
import { ChangePassword } from "../shell/password.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { ConnectProvider } from "./connect-provider.js";
import { OwnSessions } from "./own-sessions.js";
import { SecondFactor } from "./second-factor.js";

/** What people do about their own sign-in. */
export default function AccountPage() {
  const { user } = useSession();
  const [password, { open, close }] = useDisclosure(false);
  return (
    <Page title="Your account" description={user.email}>
      <Stack gap="md">
        <Panel
          title="Password"
          description="Changing it signs you out everywhere else."
          actions={
            <Button variant="default" onClick={open}>
              {user.hasPassword ? "Change password" : "Choose a password"}
            </Button>
          }
        />
        <SecondFactor />
        <ConnectProvider />
        <OwnSessions />
      </Stack>
      <ChangePassword opened={password} onClose={close} />
    </Page>
  );
}
