import { ActionIcon, Badge, Menu } from "@mantine/core";
import type { ChangeMemberRequest, Invitation, Member } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isNotFound, isVersionConflict } from "../api/errors.js";
import { useChange } from "../api/queries.js";
import { useSession } from "../session/session.js";
import { Confirm, type Confirmation } from "../ui/confirm.js";
import { IconDots } from "../ui/icons.js";

/** The action to confirm, and the member as shown when it was chosen. */
interface PendingAction {
  action: Action;
  seen: Member;
}

type Action = "makeAdmin" | "makeViewer" | "link" | "resetSecondFactor" | "disable" | "enable" | "remove";

const changes: Record<Exclude<Action, "link" | "resetSecondFactor" | "remove">, ChangeMemberRequest> = {
  makeAdmin: { role: "admin" },
  makeViewer: { role: "viewer" },
  disable: { disabled: true },
  enable: { disabled: false },
};

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
export function MemberActions({
  member,
  onInvitation,
}: {
  member: Member;
  onInvitation: (made: Invitation) => void;
}) {
  const { user } = useSession();
  const [confirming, setConfirming] = useState<PendingAction | null>(null);
  const change = useChange("changeMember", { refresh: ["listMembers"] });
  const client = useQueryClient();
  const link = useChange("createSignInLink", { refresh: ["listMembers"] });
  const reset = useChange("resetSecondFactor", { refresh: ["listMembers"] });
  const remove = useChange("removeMember", { refresh: ["listMembers"] });
  if (user.uuid === member.uuid) return <Badge color="gray">you</Badge>;

  // Somebody else has changed the member: refresh the list behind the dialog.
  const reread = (error: Error) => {
    if (isVersionConflict(error) || isNotFound(error))
      void client.invalidateQueries({ queryKey: ["listMembers"] });
  };
  const parameters = { userUuid: member.uuid };
  const close = () => {
    setConfirming(null);
    change.reset();
    link.reset();
    reset.reset();
    remove.reset();
  };
  function act({ action, seen }: PendingAction) {
    if (action === "link") {
      const onSuccess = (made: Invitation) => {
        close();
        onInvitation(made);
      };
      link.mutate({ parameters }, { onSuccess, onError: reread });
    } else if (action === "resetSecondFactor") {
      reset.mutate({ parameters }, { onSuccess: close });
    } else if (action === "remove") {
      remove.mutate({ parameters }, { onSuccess: close, onError: reread });
    } else {
      const body = { ...changes[action], version: seen.version };
      change.mutate({ parameters, body }, { onSuccess: close, onError: reread });
    }
  }

  const offered: Action[] = [
    member.role === "admin" ? "makeViewer" : "makeAdmin",
    ...(member.disabledAt ? [] : (["link"] as const)),
    ...(user.isOperator && member.hasSecondFactor ? (["resetSecondFactor"] as const) : []),
    member.disabledAt ? "enable" : "disable",
    "remove",
  ];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${member.email}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((action) => (
            <Menu.Item
              key={action}
              color={action === "disable" || action === "remove" ? "red" : undefined}
              onClick={() => setConfirming({ action, seen: member })}
            >
              {labels[action]}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        confirmation={confirming && confirmationOf(confirming.action, confirming.seen)}
        onConfirm={() => confirming && act(confirming)}
        onCancel={close}
        isPending={change.isPending || link.isPending || reset.isPending || remove.isPending}
        error={change.error ?? link.error ?? reset.error ?? remove.error}
      />
    </>
  );
}

function confirmationOf(action: Action, { email, hasPassword }: Member): Confirmation {
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
