import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Failure } from "./states.js";

/** What is about to happen, in words, before it happens. */
export interface Confirmation {
  title: string;
  consequences: string;
  /** What the button says. */
  action: string;
  isDangerous?: boolean;
}

export function Confirm({
  confirmation,
  onConfirm,
  onCancel,
  isPending,
  error,
}: {
  /** Null: nothing is asked. */
  confirmation: Confirmation | null;
  onConfirm: () => void;
  onCancel: () => void;
  isPending: boolean;
  error: Error | null;
}) {
  return (
    <Modal opened={confirmation !== null} onClose={onCancel} title={confirmation?.title}>
      {confirmation ? (
        <Stack gap="md">
          {error ? <Failure error={error} /> : null}
          <Text size="sm">{confirmation.consequences}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel} data-autofocus>
              Cancel
            </Button>
            <Button
              color={confirmation.isDangerous ? "red" : undefined}
              loading={isPending}
              onClick={onConfirm}
            >
              {confirmation.action}
            </Button>
          </Group>
        </Stack>
      ) : null}
    </Modal>
  );
}
