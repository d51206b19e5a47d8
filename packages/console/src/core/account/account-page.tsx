import { Badge, Button, Stack, Text } from "@mantine/core";
import type { OwnSession } from "@gatehouse-parking/contract/console";
import { useDisclosure } from "@mantine/hooks";
import { useApi, useChange } from "../api/queries.js";
import { useSession } from "../session/session.js";
import { useProvider } from "../session/sign-in.js";
import { Page, Panel } from "../ui/page.js";
import { Failure, Loaded, RowsLoading } from "../ui/states.js";
import { type Column, DataTable } from "../ui/table.js";
import { Moment } from "../ui/time.js";
import { browserName } from "./browser-name.js";
import { ChangePassword } from "./password.js";
import { SecondFactor } from "./second-factor.js";

const columns: Column<OwnSession>[] = [
  { header: "Browser and address", cell: (session) => <SessionOrigin session={session} />, wrap: true },
  { header: "Opened", cell: (session) => <Moment value={session.createdAt} />, from: "tablet" },
  { header: "Last used", time: (session) => session.lastSeenAt, from: "tablet" },
];

/** The user's own sessions, with buttons to end them. */
function OwnSessions() {
  const sessions = useApi("listOwnSessions");
  const end = useChange("endOwnSession", { refresh: ["listOwnSessions"] });
  const endOthers = useChange("endOtherSessions", { refresh: ["listOwnSessions"] });
  return (
    <Panel
      title="Sessions"
      description="Where you are signed in. If you do not recognize one, sign it out and change your password."
      actions={
        (sessions.data?.data.length ?? 0) > 1 ? (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            Sign out everywhere else
          </Button>
        ) : null
      }
      flush
    >
      <Failure error={end.error ?? endOthers.error} />
      <Loaded query={sessions} loading={<RowsLoading rows={3} />}>
        {({ data }) => (
          <DataTable
            label="Sessions"
            columns={[...columns, signOutColumn((uuid) => end.mutate({ parameters: { sessionUuid: uuid } }))]}
            rows={data}
            rowKey={(session) => session.uuid}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function SessionOrigin({ session }: { session: OwnSession }) {
  return (
    <>
      {browserName(session.userAgent)}
      <Text size="sm" c="dimmed">
        {session.address}
      </Text>
    </>
  );
}

function signOutColumn(onEnd: (sessionUuid: string) => void): Column<OwnSession> {
  return {
    header: "Actions",
    hiddenHeader: true,
    align: "right",
    cell: (session) =>
      session.isCurrent ? (
        <Badge color="teal">this one</Badge>
      ) : (
        <Button
          size="xs"
          variant="default"
          onClick={() => onEnd(session.uuid)}
          aria-label={`Sign out ${browserName(session.userAgent)}, ${session.address ?? "unknown address"}`}
        >
          Sign out
        </Button>
      ),
  };
}

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
      <Failure error={start.error} />
    </Panel>
  );
}
