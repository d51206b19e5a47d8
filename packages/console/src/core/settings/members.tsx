import { Badge, Button, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Invitation, Member, OrganizationSettings } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isNotFound, isVersionConflict } from "../api/errors.js";
import { useApi, useChange } from "../api/queries.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { useServiceOrigin } from "../session/api-address.js";
import { useMayChange, useOrganization, useSession } from "../session/session.js";
import { RowMenu } from "../ui/buttons.js";
import { Code } from "../ui/copyable.js";
import { Confirm, ConfirmChange, Form, type ChangeState, type Confirmation } from "../ui/form.js";
import { Panel } from "../ui/page.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Moment } from "../ui/time.js";

const list: ListDefinition<"listMembers"> = {
  route: "listMembers",
  name: "members",
  label: "Members",
  rowKey: (member) => member.uuid,
  usualSort: "email",
  paging: "none",
  exported: { route: "downloadMembers" },
  columns: [
    { header: "E-mail", value: (member) => member.email, breakable: true, sort: "email" },
    { header: "Role", value: (member) => member.role, sort: "role" },
    {
      header: "State",
      cell: (member) => <Badge color={stateColors[stateOf(member)]}>{stateOf(member)}</Badge>,
      from: "tablet",
      sort: "state",
      value: stateOf,
    },
    {
      header: "Second factor",
      value: (member) => member.hasSecondFactor,
      from: "desktop",
      sort: "secondFactor",
    },
    { header: "Last seen", time: (member) => member.lastSeenAt, from: "tablet", sort: "lastSeen" },
    { header: "Added", time: (member) => member.createdAt, from: "desktop", sort: "added" },
  ],
};

const stateColors = { disabled: "red", active: "teal", invited: "yellow" };

function stateOf(member: Member): keyof typeof stateColors {
  if (member.disabledAt) return "disabled";
  return member.hasPassword ? "active" : "invited";
}

/** Operators see every organization and are not listed. */
export default function Members() {
  const { uuid } = useOrganization();
  const found = useList(list);
  const mayChange = useMayChange();
  const [inviting, { open, close }] = useDisclosure(false);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <Stack gap="md">
      <List
        found={found}
        panel={{
          title: "Members",
          description: "Admins can make changes; viewers can only look.",
          actions: mayChange ? <Button onClick={open}>Invite member</Button> : null,
        }}
        rowActions={mayChange ? actionColumn(setInvitation) : undefined}
        empty={
          <Empty
            title="No members yet"
            operatorCommand={`npx --no -- gatehouse user create --email jo@example.com --role admin --organization ${uuid}`}
            action={mayChange ? <Button onClick={open}>Invite the first member</Button> : null}
          />
        }
      />
      <RequireSecondFactor members={found.answer.data?.data ?? []} />
      <Modal opened={inviting} onClose={close} title="Invite member">
        <InviteForm
          onInvited={(made) => {
            close();
            setInvitation(made);
          }}
        />
      </Modal>
      <Modal
        opened={invitation !== null}
        onClose={() => setInvitation(null)}
        title="One-time sign-in link"
        size="lg"
      >
        {invitation ? <NewSignInLink invitation={invitation} /> : null}
      </Modal>
    </Stack>
  );
}

function actionColumn(onInvitation: (invitation: Invitation) => void): Column<Member> {
  return {
    header: "Actions",
    hiddenHeader: true,
    align: "right",
    cell: (member) => <MemberActions member={member} onInvitation={onInvitation} />,
  };
}

function InviteForm({ onInvited }: { onInvited: (invitation: Invitation) => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<"admin" | "viewer">("viewer");
  const invite = useChange("inviteMember", { refresh: ["listMembers"] });
  const submit = () => invite.mutate({ body: { email, role } }, { onSuccess: onInvited });
  return (
    <Form change={invite} onSubmit={submit} action="Create sign-in link">
      <TextInput
        label="E-mail"
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label="Role"
        data={[
          { value: "viewer", label: "Viewer: can see everything, but change nothing" },
          { value: "admin", label: "Admin: can change everything in this organization" },
        ]}
        value={role}
        onChange={(value) => setRole(value === "admin" ? "admin" : "viewer")}
        allowDeselect={false}
      />
    </Form>
  );
}

function NewSignInLink({ invitation }: { invitation: Invitation }) {
  const { member, link } = invitation;
  const origin = useServiceOrigin();
  return (
    <Stack gap="sm">
      <Text size="sm">
        Send this link to {member.email} yourself. It is shown only now, works once and expires{" "}
        <Moment value={link.expiresAt} />. Whoever has an account already signs in to it to accept.
      </Text>
      <Code text={`${origin}${link.path}`} label="Sign-in link" copyLabel="Copy link" />
    </Stack>
  );
}

/** The action to confirm, and the member as shown when it was chosen. */
interface PendingAction {
  action: Action;
  seen: Member;
}

type Action = "makeAdmin" | "makeViewer" | "link" | "resetSecondFactor" | "disable" | "enable" | "remove";

const changes = {
  makeAdmin: { role: "admin" },
  makeViewer: { role: "viewer" },
  disable: { disabled: true },
  enable: { disabled: false },
} as const;

const labels: Record<Action, string> = {
  makeAdmin: "Make admin",
  makeViewer: "Make viewer",
  link: "New sign-in link",
  resetSecondFactor: "Reset second factor",
  disable: "Disable",
  enable: "Enable",
  remove: "Remove",
};

/** The actions for a member. Each is explained and confirmed first. */
function MemberActions({
  member,
  onInvitation,
}: {
  member: Member;
  onInvitation: (made: Invitation) => void;
}) {
  const { user } = useSession();
  const client = useQueryClient();
  const [confirming, setConfirming] = useState<PendingAction | null>(null);
  const refresh = { refresh: ["listMembers" as const] };
  const change = useChange("changeMember", refresh);
  const link = useChange("createSignInLink", refresh);
  const reset = useChange("resetSecondFactor", refresh);
  const remove = useChange("removeMember", refresh);
  if (user.uuid === member.uuid) return <Badge color="gray">you</Badge>;

  const parameters = { userUuid: member.uuid };
  const options = {
    onSuccess: () => setConfirming(null),
    // Somebody else has changed the member: refresh the list behind the dialog.
    onError: (error: Error) => {
      if (isVersionConflict(error) || isNotFound(error))
        void client.invalidateQueries({ queryKey: ["listMembers"] });
    },
  };
  const onLink = (made: Invitation) => {
    setConfirming(null);
    onInvitation(made);
  };
  function act({ action, seen }: PendingAction) {
    if (action === "link") link.mutate({ parameters }, { ...options, onSuccess: onLink });
    else if (action === "resetSecondFactor") reset.mutate({ parameters }, options);
    else if (action === "remove") remove.mutate({ parameters }, options);
    else change.mutate({ parameters, body: { ...changes[action], version: seen.version } }, options);
  }
  const others: Partial<Record<Action, ChangeState>> = { link, resetSecondFactor: reset, remove };

  const offered: Action[] = [
    member.role === "admin" ? "makeViewer" : "makeAdmin",
    ...(member.disabledAt ? [] : (["link"] as const)),
    ...(user.isOperator && member.hasSecondFactor ? (["resetSecondFactor"] as const) : []),
    member.disabledAt ? "enable" : "disable",
    "remove",
  ];
  return (
    <>
      <RowMenu
        name={member.email}
        actions={offered.map((action) => ({
          label: labels[action],
          isDangerous: action === "disable" || action === "remove",
          onClick: () => setConfirming({ action, seen: member }),
        }))}
      />
      <Confirm
        confirmation={confirming && confirmationOf(confirming)}
        change={(confirming && others[confirming.action]) ?? change}
        onConfirm={() => confirming && act(confirming)}
        onClose={() => setConfirming(null)}
      />
    </>
  );
}

function confirmationOf({ action, seen: { email, hasPassword } }: PendingAction): Confirmation {
  switch (action) {
    case "makeAdmin":
      return {
        title: `Make ${email} an admin`,
        consequences:
          "From their next click on, they can change everything in this organization: settings, API keys, members, locations and leads.",
        action: "Make admin",
      };
    case "makeViewer":
      return {
        title: `Make ${email} a viewer`,
        consequences:
          "From their next click on, they can look at everything in this organization, except the audit log, and change nothing.",
        action: "Make viewer",
      };
    case "link":
      return {
        title: `New sign-in link for ${email}`,
        consequences: hasPassword
          ? "You get a link that signs them in once, within 24 hours, for as long as you may make one. Their password and their sessions stay. To replace a forgotten password they need a code of their second factor, or a sign-in with the provider."
          : "You get a link that lets them in once, within 24 hours. Whoever has an account already signs in to it to accept the invitation; others set a password.",
        action: "Make link",
      };
    case "resetSecondFactor":
      return {
        title: `Reset the second factor of ${email}`,
        consequences:
          "For somebody who has lost their authenticator app and their recovery codes. Make sure that it is really them who asks: until they set up another, their password or a sign-in link is enough to come in.",
        action: "Reset",
        isDangerous: true,
      };
    case "disable":
      return {
        title: `Disable ${email}`,
        consequences:
          "This organization is closed to them at once, until somebody enables them. Whoever belongs to no other is signed out everywhere at once, and their sign-in links end. Nothing they did is undone.",
        action: "Disable",
        isDangerous: true,
      };
    case "enable":
      return {
        title: `Enable ${email}`,
        consequences: hasPassword
          ? "They can sign in again with their password."
          : "They can come in again. As they have no password, make them a new sign-in link afterwards.",
        action: "Enable",
      };
    case "remove":
      return {
        title: `Remove ${email}`,
        consequences:
          "They no longer belong to this organization, from their next click on. Whoever belongs to no other loses their account with it: password, second factor and sessions. Nothing they did is undone.",
        action: "Remove",
        isDangerous: true,
      };
  }
}

function RequireSecondFactor({ members }: { members: readonly Member[] }) {
  const settings = useApi("getOrganization").data;
  const mayChange = useMayChange();
  const [confirming, setConfirming] = useState<OrganizationSettings | null>(null);
  const change = useChange("changeSettings", { refresh: ["getOrganization", "listMembers"] });
  if (!settings) return null;
  const isRequired = settings.requiresSecondFactor;
  return (
    <Panel
      title={
        <>
          Second factor{" "}
          <Badge color={isRequired ? "teal" : "gray"} ml="xs">
            {isRequired ? "required" : "optional"}
          </Badge>
        </>
      }
      description="Members set it up in their own account: a code from an authenticator app, asked for after the password."
      actions={
        mayChange ? (
          <Button variant="default" onClick={() => setConfirming(settings)}>
            {isRequired ? "Make optional" : "Require for everybody"}
          </Button>
        ) : null
      }
    >
      <ConfirmChange
        confirmation={confirming && requirementOf(confirming, members)}
        change={change}
        variables={{
          body: {
            requiresSecondFactor: !confirming?.requiresSecondFactor,
            version: confirming?.version ?? "",
          },
        }}
        onClose={() => setConfirming(null)}
      />
    </Panel>
  );
}

function requirementOf(
  { requiresSecondFactor }: OrganizationSettings,
  members: readonly Member[],
): Confirmation {
  if (requiresSecondFactor)
    return {
      title: "Make the second factor optional",
      consequences: "Whoever has one is still asked for it. Nobody is kept out any more for having none.",
      action: "Make optional",
    };
  const without = members.filter((member) => !member.disabledAt && !member.hasSecondFactor).length;
  return {
    title: "Require a second factor",
    consequences: `Whoever has none, operators of the service among them, sees nothing of this organization from their next click on until they have set one up. At the moment ${without === 1 ? "1 member has" : `${without} members have`} none.`,
    action: "Require",
  };
}
