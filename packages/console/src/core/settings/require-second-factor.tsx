import { Badge, Button } from "@mantine/core";
import type { Member, OrganizationSettings } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../api/queries.js";
import { useMayChange } from "../session/session.js";
import { Confirm, type Confirmation } from "../ui/confirm.js";
import { Panel } from "../ui/page.js";

export function RequireSecondFactor({ members }: { members: readonly Member[] }) {
  const settings = useApi("getOrganization");
  const mayChange = useMayChange();
  const [confirming, setConfirming] = useState<OrganizationSettings | null>(null);
  const change = useChange("changeSettings", { refresh: ["getOrganization", "listMembers"] });
  if (!settings.data) return null;
  const isRequired = settings.data.requiresSecondFactor;
  const close = () => {
    setConfirming(null);
    change.reset();
  };
  const confirm = () => {
    if (!confirming) return;
    const body = { requiresSecondFactor: !confirming.requiresSecondFactor, version: confirming.version };
    change.mutate({ body }, { onSuccess: close });
  };
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
          <Button variant="default" onClick={() => setConfirming(settings.data)}>
            {isRequired ? "Make optional" : "Require for everybody"}
          </Button>
        ) : null
      }
    >
      <Confirm
        confirmation={confirming && confirmationOf(confirming, members)}
        onConfirm={confirm}
        onCancel={close}
        isPending={change.isPending}
        error={change.error}
      />
    </Panel>
  );
}

function confirmationOf(
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
