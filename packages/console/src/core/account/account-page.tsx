import { Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSession } from "../session/session.js";
import { useProvider } from "../session/sign-in-by-provider.js";
import { Page, Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import { ChangePassword } from "./password.js";
import { SecondFactor } from "./second-factor.js";
import { OwnSessions } from "./sessions.js";

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

/** With a second factor, the first sign-in with the provider has to start here. */
function ConnectProvider() {
  const { provider, start } = useProvider();
  if (!provider) return null;
  return (
    <Panel
      title="Single sign-on"
      description={`Sign in there once from here, and ${provider.name} lets you in from then on.`}
      actions={
        <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
          Connect {provider.name}
        </Button>
      }
    >
      {start.error ? <Failure error={start.error} /> : null}
    </Panel>
  );
}
