import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { LeavingQuestion } from "./leave-guard.js";

export default function LeaveQuestion({
  question,
  onStay,
  onLeave,
}: {
  question: LeavingQuestion;
  onStay: () => void;
  onLeave: () => void;
}) {
  return (
    <Modal opened onClose={onStay} title={question.title}>
      <Stack gap="md">
        <Text size="sm">{question.consequences}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            Stay on this page
          </Button>
          <Button color="red" onClick={onLeave}>
            {question.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
