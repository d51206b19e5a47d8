import { Badge, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Invitation, Member } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../api/queries.js";
import { useOrganization } from "../session/organization.js";
import { useServiceOrigin } from "../session/origin.js";
import { useMayChange } from "../session/session.js";
import { Code } from "../ui/code.js";
import { Panel } from "../ui/panel.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { Moment, Time } from "../ui/time.js";
import { MemberActions } from "./member-actions.js";
import { RequireSecondFactor } from "./require-second-factor.js";

const columns: Column<Member>[] = [
  { header: "E-mail", cell: (member) => member.email, breakable: true },
  { header: "Role", cell: (member) => member.role },
  { header: "State", cell: (member) => <MemberState member={member} />, from: "tablet" },
  {
    header: "Second factor",
    cell: (member) => (member.hasSecondFactor ? "yes" : "no"),
    from: "desktop",
  },
  { header: "Last seen", cell: (member) => <Time value={member.lastSeenAt} />, from: "tablet" },
  { header: "Added", cell: (member) => <Time value={member.createdAt} />, from: "desktop" },
];

/** The people of the organization. Operators of the service see every organization and are not listed. */
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
        {members.isPending ? <RowsLoading rows={4} /> : null}
        {members.error ? <Failure error={members.error} retry={() => void members.refetch()} /> : null}
        {members.data && members.data.data.length > 0 ? (
          <DataTable
            label="Members"
            columns={mayChange ? [...columns, actions(setInvitation)] : columns}
            rows={members.data.data}
            rowKey={(member) => member.uuid}
          />
        ) : null}
        {members.data?.data.length === 0 ? (
          <Empty
            title="No members yet"
            operatorCommand={`npx gatehouse user create --email jo@example.com --role admin --organization ${uuid}`}
          >
            Invite the first one here.
          </Empty>
        ) : null}
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
        {invitation ? <LinkShownOnce invitation={invitation} /> : null}
      </Modal>
    </Stack>
  );
}

function MemberState({ member }: { member: Member }) {
  if (member.disabledAt) return <Badge color="red">disabled</Badge>;
  return member.hasPassword ? <Badge color="teal">active</Badge> : <Badge color="yellow">invited</Badge>;
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

function LinkShownOnce({ invitation }: { invitation: Invitation }) {
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
