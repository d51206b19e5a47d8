import { Button, Group, Modal, Stack, Text } from "@mantine/core";

export default function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Modal opened onClose={onStay} title="Stop the import?">
      <Stack gap="md">
        <Text size="sm">
          Leaving this page stops the import after the current batch. You can resume it later with the same
          file.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            Stay on this page
          </Button>
          <Button color="red" onClick={onLeave}>
            Stop and leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
