import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Failure } from "./states.js";

/** What is about to happen, in words, before it happens. */
export interface Confirmation {
  title: string;
  consequences: ReactNode;
  /** What the button says. */
  action: string;
  isDangerous?: boolean;
  /** What has to be typed first. */
  typed?: string;
}

interface ConfirmProps {
  onConfirm: () => void;
  onCancel: () => void;
  isPending: boolean;
  error: Error | null;
}

export function Confirm({
  confirmation,
  ...props
}: ConfirmProps & {
  /** Null: nothing is asked. */
  confirmation: Confirmation | null;
}) {
  return (
    <Modal opened={confirmation !== null} onClose={props.onCancel} title={confirmation?.title}>
      {confirmation ? <ConfirmForm confirmation={confirmation} {...props} /> : null}
    </Modal>
  );
}

/** The inside of a dialog that asks whether to do something. */
export function ConfirmForm({
  confirmation: { consequences, action, isDangerous, typed },
  onConfirm,
  onCancel,
  isPending,
  error,
}: ConfirmProps & { confirmation: Omit<Confirmation, "title"> }) {
  const [text, setText] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <Stack gap="md">
        {error ? <Failure error={error} /> : null}
        <Text size="sm" component="div">
          {consequences}
        </Text>
        {typed === undefined ? null : (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={onCancel}
            {...(typed === undefined && { "data-autofocus": true })}
          >
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDangerous ? "red" : undefined}
            disabled={typed !== undefined && text !== typed}
            loading={isPending}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
