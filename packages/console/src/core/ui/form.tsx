import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { Failure } from "./states.js";
import { texts } from "./texts.js";

/** The state of a change, from useChange or useMutation. */
export interface ChangeState {
  error: Error | null;
  isPending: boolean;
  reset: () => void;
}

export interface FormProps {
  change: Pick<ChangeState, "error" | "isPending">;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The text of the button that submits. */
  action: string;
  children: ReactNode;
  /** In a dialog: adds the button. */
  onCancel?: () => void;
  cancel?: string | undefined;
  isCancelFocused?: boolean;
  isDangerous?: boolean | undefined;
  disabled?: boolean;
  /** On a page: the greatest width. The button is at the left. */
  width?: number;
  /** Default: the error of the change. */
  failure?: ReactNode;
  /** For forms that check their fields themselves. */
  noValidate?: boolean;
}

/** A form that makes one change. */
export function Form({ change, onSubmit, children, noValidate = false, ...props }: FormProps) {
  const { action, onCancel, isCancelFocused, isDangerous, disabled = false, width } = props;
  return (
    <form
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
    >
      <Stack gap="md" {...(width !== undefined && { maw: width })}>
        {props.failure ?? <Failure error={change.error} />}
        {children}
        <Group justify={width === undefined ? "flex-end" : "flex-start"}>
          {onCancel ? (
            <Button variant="default" onClick={onCancel} {...(isCancelFocused && { "data-autofocus": true })}>
              {props.cancel ?? texts.cancel}
            </Button>
          ) : null}
          <Button
            type="submit"
            color={isDangerous ? "red" : undefined}
            disabled={disabled}
            loading={change.isPending}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export interface Confirmation {
  title: string;
  consequences: ReactNode;
  /** The button's text. */
  action: string;
  /** The text of the other button. Default: Cancel. */
  cancel?: string;
  isDangerous?: boolean;
  /** Text that has to be typed before confirming. */
  typed?: string;
}

interface ConfirmProps {
  change: ChangeState;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a change. `confirmation` is null while the dialog is closed. */
export function Confirm({ confirmation, ...props }: ConfirmProps & { confirmation: Confirmation | null }) {
  const close = () => {
    props.change.reset();
    props.onClose();
  };
  return (
    <Modal opened={confirmation !== null} onClose={close} title={confirmation?.title}>
      {confirmation ? <ConfirmForm confirmation={confirmation} {...props} onClose={close} /> : null}
    </Modal>
  );
}

/** Asks before a change that needs nothing but its variables. */
export function ConfirmChange<Variables, Answer>(props: {
  confirmation: Confirmation | null;
  change: ChangeState & {
    mutate: (variables: Variables, options: { onSuccess: (answer: Answer) => void }) => void;
  };
  variables: Variables;
  onClose: () => void;
  onDone?: (answer: Answer) => void;
}) {
  const { confirmation, change, variables, onClose, onDone } = props;
  const onSuccess = (answer: Answer) => {
    onClose();
    onDone?.(answer);
  };
  return (
    <Confirm
      {...{ confirmation, change, onClose }}
      onConfirm={() => change.mutate(variables, { onSuccess })}
    />
  );
}

/** The content of a confirmation dialog. */
export function ConfirmForm({
  confirmation: { consequences, typed, action, cancel, isDangerous },
  change,
  onConfirm,
  onClose,
}: ConfirmProps & { confirmation: Omit<Confirmation, "title"> }) {
  const [text, setText] = useState("");
  return (
    <Form
      {...{ change, action, cancel, isDangerous }}
      onSubmit={onConfirm}
      onCancel={onClose}
      isCancelFocused={typed === undefined}
      disabled={typed !== undefined && text !== typed}
    >
      <Text size="sm" component="div">
        {consequences}
      </Text>
      {typed === undefined ? null : (
        <TextInput
          label={texts.typeToConfirm(typed)}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
    </Form>
  );
}
