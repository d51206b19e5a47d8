import { Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
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
            // White on the usual red has too little contrast.
            color={isDangerous ? "red.9" : undefined}
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

/** What a dialog says before a change. The more is lost, the more it asks for. */
export type Confirmation = ConfirmationText & (HarmlessChange | DangerousChange);

interface ConfirmationText {
  title: string;
  consequences: ReactNode;
  /** The button's text. */
  action: string;
  /** The text of the other button. Default: Cancel. */
  cancel?: string;
}
interface HarmlessChange {
  isDangerous?: false;
}
interface DangerousChange {
  isDangerous: true;
  /** How it can be undone, or null. */
  reversal: string | null;
  /** What is lost, such as "500 transactions". */
  lost?: readonly string[];
  /** Text that has to be typed before confirming. For changes that stop something in use or lose many things. */
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
  confirmation,
  change,
  failure,
  disabled = false,
  onConfirm,
  onClose,
}: ConfirmProps & Pick<FormProps, "failure" | "disabled"> & { confirmation: Confirmation }) {
  const [text, setText] = useState("");
  const { consequences, action, cancel, isDangerous = false } = confirmation;
  const danger = confirmation.isDangerous ? confirmation : undefined;
  const typed = danger?.typed;
  return (
    <Form
      {...{ change, action, cancel, isDangerous, failure }}
      onSubmit={onConfirm}
      onCancel={onClose}
      isCancelFocused={typed === undefined}
      disabled={disabled || (typed !== undefined && text !== typed)}
    >
      <Text size="sm" component="div">
        {consequences}
      </Text>
      {danger?.lost ? (
        <List size="sm">
          {danger.lost.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      ) : null}
      {danger ? (
        <Text size="sm" fw={500} c={danger.reversal === null ? "var(--mantine-color-error)" : undefined}>
          {danger.reversal ?? texts.noReversal}
        </Text>
      ) : null}
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
