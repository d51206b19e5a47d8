import { Badge, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useChange } from "../api/queries.js";
import { sessionKey } from "../session/session.js";
import { Panel } from "../ui/panel.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { RecoveryCodes } from "./recovery-codes.js";
import { SetUpSecondFactor } from "./set-up-second-factor.js";

type Asked = "renew" | "remove";

const questions: Record<Asked, { title: string; text: string; action: string }> = {
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
  const [asked, setAsked] = useState<Asked | null>(null);
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
          <Button variant="default" onClick={() => setAsked("renew")}>
            New recovery codes
          </Button>
          <Button variant="default" onClick={() => setAsked("remove")}>
            Remove
          </Button>
        </Group>
      }
    >
      <Text size="sm">
        Set up <Moment value={confirmedAt} />. {recoveryCodesLeft} of your recovery codes are left.
      </Text>
      <Modal
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? questions[asked].title : ""}
      >
        {asked ? <WithCode asked={asked} onDone={() => setAsked(null)} /> : null}
      </Modal>
    </Panel>
  );
}

function WithCode({ asked, onDone }: { asked: Asked; onDone: () => void }) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const renew = useChange("renewRecoveryCodes", { refresh: ["getSecondFactor"] });
  const remove = useChange("removeSecondFactor", { refresh: ["getSecondFactor"] });
  const { text, action } = questions[asked];
  const error = renew.error ?? remove.error;
  function act() {
    const body = { code };
    if (asked === "renew")
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
        <TextInput
          label="Code"
          description="From your authenticator app, or one of your recovery codes"
          autoComplete="one-time-code"
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={asked === "remove" ? "red" : undefined}
            loading={renew.isPending || remove.isPending}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
