import { Button, Group, Modal, Stack, Text, TextInput, type ButtonProps } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Failure } from "./states.js";

export interface Confirmation {
  title: string;
  consequences: ReactNode;
  /** The button's text. */
  action: string;
  isDangerous?: boolean;
  /** Text that has to be typed before confirming. */
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
  /** Null while the dialog is closed. */
  confirmation: Confirmation | null;
}) {
  return (
    <Modal opened={confirmation !== null} onClose={props.onCancel} title={confirmation?.title}>
      {confirmation ? <ConfirmForm confirmation={confirmation} {...props} /> : null}
    </Modal>
  );
}

/** The content of a confirmation dialog. */
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
        <DialogButtons
          action={action}
          onCancel={onCancel}
          isCancelFocused={typed === undefined}
          color={isDangerous ? "red" : undefined}
          disabled={typed !== undefined && text !== typed}
          loading={isPending}
        />
      </Stack>
    </form>
  );
}

/** Cancel, and the button that submits the form. */
export function DialogButtons({
  action,
  onCancel,
  isCancelFocused = false,
  ...submit
}: Pick<ButtonProps, "color" | "disabled" | "loading"> & {
  action: string;
  onCancel: () => void;
  isCancelFocused?: boolean;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} {...(isCancelFocused && { "data-autofocus": true })}>
        Cancel
      </Button>
      <Button type="submit" {...submit}>
        {action}
      </Button>
    </Group>
  );
}
