import { Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useChange } from "../api/queries.js";
import { sessionKey } from "../session/session.js";
import { CodeInput } from "../session/sign-in-form.js";
import { DialogButtons } from "../ui/confirm.js";
import { Panel } from "../ui/page.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { RecoveryCodes, SetUpSecondFactor } from "./set-up-second-factor.js";

type FactorAction = "renew" | "remove";

const factorActions: Record<FactorAction, { title: string; text: string; action: string }> = {
  renew: {
    title: "New recovery codes",
    text: "You get ten new codes, and the old ones no longer work.",
    action: "Create codes",
  },
  remove: {
    title: "Remove second factor",
    text: "Your password alone will let you in again. To move to another phone, remove it here and set it up anew.",
    action: "Remove",
  },
};

export function SecondFactor() {
  const factor = useApi("getSecondFactor");
  const [confirming, setConfirming] = useState<FactorAction | null>(null);
  if (factor.isPending) return <RowsLoading rows={3} />;
  if (factor.error) return <Failure error={factor.error} retry={() => void factor.refetch()} />;
  const { confirmedAt, recoveryCodesLeft } = factor.data;
  const title = (
    <>
      Second factor{" "}
      <Badge color={confirmedAt ? "teal" : "gray"} ml="xs">
        {confirmedAt ? "on" : "off"}
      </Badge>
    </>
  );
  if (!confirmedAt) {
    return (
      <Panel title={title} description="Your password alone is not enough then to sign in as you.">
        <SetUpSecondFactor />
      </Panel>
    );
  }
  return (
    <Panel
      title={title}
      actions={
        <Group gap="xs">
          <Button variant="default" onClick={() => setConfirming("renew")}>
            New recovery codes
          </Button>
          <Button variant="default" onClick={() => setConfirming("remove")}>
            Remove
          </Button>
        </Group>
      }
    >
      <Text size="sm">
        Set up <Moment value={confirmedAt} />. {recoveryCodesLeft} of your recovery codes are left.
      </Text>
      <Modal
        opened={confirming !== null}
        onClose={() => setConfirming(null)}
        title={confirming ? factorActions[confirming].title : ""}
      >
        {confirming ? <CodeForm confirming={confirming} onDone={() => setConfirming(null)} /> : null}
      </Modal>
    </Panel>
  );
}

function CodeForm({ confirming, onDone }: { confirming: FactorAction; onDone: () => void }) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const renew = useChange("renewRecoveryCodes", { refresh: ["getSecondFactor"] });
  const remove = useChange("removeSecondFactor", { refresh: ["getSecondFactor"] });
  const { text, action } = factorActions[confirming];
  const error = renew.error ?? remove.error;
  function act() {
    const body = { code };
    if (confirming === "renew")
      renew.mutate({ body }, { onSuccess: (made) => setRecoveryCodes(made.recoveryCodes) });
    else
      remove.mutate(
        { body },
        {
          onSuccess: () => {
            void client.invalidateQueries({ queryKey: sessionKey });
            onDone();
          },
        },
      );
  }
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act();
      }}
    >
      <Stack gap="md">
        {error ? <Failure error={error} /> : null}
        <Text size="sm">{text}</Text>
        <CodeInput
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <DialogButtons
          action={action}
          onCancel={onDone}
          color={confirming === "remove" ? "red" : undefined}
          loading={renew.isPending || remove.isPending}
        />
      </Stack>
    </form>
  );
}
