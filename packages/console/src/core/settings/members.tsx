import { Badge, Button, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
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
import { useLinkedDialog } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Moment } from "../ui/time.js";
import { texts } from "./texts.js";

const list: ListDefinition<"listMembers"> = {
  route: "listMembers",
  name: "members",
  label: texts.tabs.members,
  rowKey: (member) => member.uuid,
  usualSort: "email",
  paging: "none",
  exported: { route: "downloadMembers" },
  columns: [
    { header: texts.members.email, value: (member) => member.email, breakable: true, sort: "email" },
    { header: texts.members.role, value: (member) => member.role, sort: "role" },
    {
      header: texts.members.status,
      cell: (member) => <Badge color={stateColors[stateOf(member)]}>{stateOf(member)}</Badge>,
      from: "tablet",
      sort: "state",
      value: stateOf,
    },
    {
      header: texts.members.twoFactor,
      value: (member) => member.hasSecondFactor,
      from: "desktop",
      sort: "secondFactor",
    },
    { header: texts.members.lastSeen, time: (member) => member.lastSeenAt, from: "tablet", sort: "lastSeen" },
    { header: texts.members.added, time: (member) => member.createdAt, from: "desktop", sort: "added" },
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
  const { opened, open, close } = useLinkedDialog("invite");
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <Stack gap="md">
      <List
        found={found}
        panel={{
          title: texts.tabs.members,
          description: texts.members.description,
          actions: mayChange ? <Button onClick={open}>{texts.members.invite}</Button> : null,
        }}
        rowActions={mayChange ? actionColumn(setInvitation) : undefined}
        empty={
          <Empty
            title={texts.members.empty.title}
            operatorCommand={`npx --no -- gatehouse user create --email jo@example.com --role admin --organization ${uuid}`}
            action={mayChange ? <Button onClick={open}>{texts.members.empty.action}</Button> : null}
          />
        }
      />
      <RequireSecondFactor members={found.answer.data?.data ?? []} />
      <Modal opened={opened} onClose={close} title={texts.members.invite}>
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
        title={texts.members.link.title}
        size="lg"
        // The link is shown only once.
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        {invitation ? <NewSignInLink invitation={invitation} /> : null}
      </Modal>
    </Stack>
  );
}

function actionColumn(onInvitation: (invitation: Invitation) => void): Column<Member> {
  return {
    header: texts.members.actions,
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
    <Form change={invite} onSubmit={submit} action={texts.members.createLink}>
      <TextInput
        label={texts.members.email}
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label={texts.members.role}
        data={[
          { value: "viewer", label: texts.members.viewer },
          { value: "admin", label: texts.members.admin },
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
        {texts.members.link.send(member.email)} <Moment value={link.expiresAt} />.{" "}
        {texts.members.link.existingAccount}
      </Text>
      <Code
        text={`${origin}${link.path}`}
        label={texts.members.link.label}
        copyLabel={texts.members.link.copy}
      />
    </Stack>
  );
}

/** The action to confirm, and the member as shown when it was chosen. */
interface PendingAction {
  action: Action;
  seen: Member;
}

type Action = keyof typeof texts.memberActions;

const changes = {
  makeAdmin: { role: "admin" },
  makeViewer: { role: "viewer" },
  disable: { disabled: true },
  enable: { disabled: false },
} as const;

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
  if (user.uuid === member.uuid) return <Badge color="gray">{texts.members.you}</Badge>;

  const parameters = { userUuid: member.uuid };
  const options = {
    onSuccess: () => setConfirming(null),
    // Another admin has changed the member: refresh the list behind the dialog.
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
          label: texts.memberActions[action].label,
          isDangerous: "reversal" in texts.memberActions[action],
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
  const words = texts.memberActions[action];
  const text = {
    title: words.title(email),
    consequences:
      hasPassword && "consequencesWithPassword" in words
        ? words.consequencesWithPassword
        : words.consequences,
    action: words.action,
  };
  return "reversal" in words ? { ...text, isDangerous: true, reversal: words.reversal } : text;
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
          {texts.members.twoFactor}{" "}
          <Badge color={isRequired ? "teal" : "gray"} ml="xs">
            {isRequired ? texts.twoFactor.required : texts.twoFactor.optional}
          </Badge>
        </>
      }
      description={texts.twoFactor.description}
      actions={
        mayChange ? (
          <Button variant="default" onClick={() => setConfirming(settings)}>
            {isRequired ? texts.twoFactor.makeOptional : texts.twoFactor.require}
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
      title: texts.twoFactor.optionalTitle,
      consequences: texts.twoFactor.optionalConsequences,
      action: texts.twoFactor.makeOptional,
    };
  const without = members.filter((member) => !member.disabledAt && !member.hasSecondFactor).length;
  return {
    title: texts.twoFactor.requireTitle,
    consequences: texts.twoFactor.requireConsequences(without),
    action: texts.twoFactor.requireAction,
  };
}
