import { Badge, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Invitation, Member } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../api/queries.js";
import { ListTable, ListTools } from "../lists/data-list.js";
import { bySort, type ListDefinition } from "../lists/list-definition.js";
import { useServiceOrigin } from "../session/api-address.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { Code } from "../ui/copyable.js";
import { Panel } from "../ui/page.js";
import { Empty, Failure } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Moment, Time } from "../ui/time.js";
import { MemberActions } from "./member-actions.js";
import { RequireSecondFactor } from "./require-second-factor.js";

const list: ListDefinition<Member> = {
  name: "members",
  label: "Members",
  rowKey: (member) => member.uuid,
  usualSort: "email",
  exported: { route: "downloadMembers" },
  columns: [
    {
      header: "E-mail",
      cell: (member) => member.email,
      breakable: true,
      sort: bySort("email"),
      value: (member) => member.email,
    },
    { header: "Role", cell: (member) => member.role, sort: bySort("role"), value: (member) => member.role },
    {
      header: "State",
      cell: (member) => <MemberState member={member} />,
      from: "tablet",
      sort: bySort("state"),
      value: stateOf,
    },
    {
      header: "Second factor",
      cell: (member) => (member.hasSecondFactor ? "yes" : "no"),
      from: "desktop",
      sort: bySort("secondFactor"),
      value: (member) => member.hasSecondFactor,
    },
    {
      header: "Last seen",
      cell: (member) => <Time value={member.lastSeenAt} />,
      from: "tablet",
      sort: bySort("lastSeen"),
      value: (member) => member.lastSeenAt,
    },
    {
      header: "Added",
      cell: (member) => <Time value={member.createdAt} />,
      from: "desktop",
      sort: bySort("added"),
      value: (member) => member.createdAt,
    },
  ],
};

/** Operators see every organization and are not listed. */
export default function Members() {
  const { uuid } = useOrganization();
  const members = useApi("listMembers");
  const mayChange = useMayChange();
  const [inviting, { open, close }] = useDisclosure(false);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <Stack gap="md">
      <Panel
        title="Members"
        description="Admins can make changes; viewers can only look."
        actions={mayChange ? <Button onClick={open}>Invite member</Button> : null}
        flush
      >
        <ListTools list={list} isInPanel />
        <ListTable
          list={list}
          query={members}
          actions={mayChange ? actions(setInvitation) : undefined}
          empty={
            <Empty
              title="No members yet"
              operatorCommand={`npx --no -- gatehouse user create --email jo@example.com --role admin --organization ${uuid}`}
              action={mayChange ? <Button onClick={open}>Invite the first member</Button> : null}
            />
          }
        />
      </Panel>
      <RequireSecondFactor members={members.data?.data ?? []} />
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

const stateColors = { disabled: "red", active: "teal", invited: "yellow" };

function stateOf(member: Member): keyof typeof stateColors {
  if (member.disabledAt) return "disabled";
  return member.hasPassword ? "active" : "invited";
}

function MemberState({ member }: { member: Member }) {
  const state = stateOf(member);
  return <Badge color={stateColors[state]}>{state}</Badge>;
}

function actions(onInvitation: (invitation: Invitation) => void): Column<Member> {
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
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate({ body: { email, role } }, { onSuccess: onInvited });
      }}
    >
      <Stack gap="md">
        {invite.error ? <Failure error={invite.error} /> : null}
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
        <Group justify="flex-end">
          <Button type="submit" loading={invite.isPending}>
            Create sign-in link
          </Button>
        </Group>
      </Stack>
    </form>
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
