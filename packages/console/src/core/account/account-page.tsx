import { Badge, Button, Stack, Text } from "@mantine/core";
import type { OwnSession } from "@gatehouse-parking/contract/console";
import { useDisclosure } from "@mantine/hooks";
import { useApi, useChange } from "../api/queries.js";
import { useSession } from "../session/session.js";
import { useProvider } from "../session/sign-in.js";
import { Page, Panel } from "../ui/page.js";
import { Failure, Loaded, RowsLoading } from "../ui/states.js";
import { type Column, DataTable } from "../ui/table.js";

import { browserName } from "./browser-name.js";
import { ChangePassword } from "./password.js";
import { SecondFactor } from "./second-factor.js";
import { texts } from "./texts.js";

const columns: Column<OwnSession>[] = [
  { header: texts.sessions.browser, cell: (session) => <SessionOrigin session={session} />, wrap: true },
  { header: texts.sessions.signedIn, time: (session) => session.createdAt, from: "tablet" },
  { header: texts.sessions.lastUsed, time: (session) => session.lastSeenAt, from: "tablet" },
];

/** The user's own sessions, with buttons to end them. */
function OwnSessions() {
  const sessions = useApi("listOwnSessions");
  const end = useChange("endOwnSession", { refresh: ["listOwnSessions"] });
  const endOthers = useChange("endOtherSessions", { refresh: ["listOwnSessions"] });
  return (
    <Panel
      title={texts.sessions.title}
      description={texts.sessions.description}
      actions={
        (sessions.data?.data.length ?? 0) > 1 ? (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            {texts.sessions.signOutOthers}
          </Button>
        ) : null
      }
      flush
    >
      <Failure error={end.error ?? endOthers.error} />
      <Loaded query={sessions} loading={<RowsLoading rows={3} />}>
        {({ data }) => (
          <DataTable
            label={texts.sessions.title}
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
    header: texts.sessions.actions,
    hiddenHeader: true,
    align: "right",
    cell: (session) =>
      session.isCurrent ? (
        <Badge color="teal">{texts.sessions.thisDevice}</Badge>
      ) : (
        <Button
          size="xs"
          variant="default"
          onClick={() => onEnd(session.uuid)}
          aria-label={texts.sessions.signOutOf(browserName(session.userAgent), session.address)}
        >
          {texts.sessions.signOut}
        </Button>
      ),
  };
}

export default function AccountPage() {
  const { user } = useSession();
  const [password, { open, close }] = useDisclosure(false);
  return (
    <Page title={texts.title} description={user.email}>
      <Stack gap="md">
        <Panel
          title={texts.password.title}
          description={texts.password.description}
          actions={
            <Button variant="default" onClick={open}>
              {user.hasPassword ? texts.password.change : texts.password.set}
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
      title={texts.singleSignOn.title}
      description={texts.singleSignOn.description(provider.name)}
      actions={
        <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
          {texts.singleSignOn.connect(provider.name)}
        </Button>
      }
    >
      <Failure error={start.error} />
    </Panel>
  );
}
