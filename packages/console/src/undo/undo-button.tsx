import { Button, Modal } from "@mantine/core";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useMayChange } from "../session/session.js";
import { IconArrowBackUp } from "../ui/icons.js";
import { UndoDialog } from "./undo-dialog.js";

/** Takes a run back, once it was shown what that does. Absent where there is nothing to take back, or no more time. */
export function UndoButton({ run }: { run: RunDetail }) {
  const mayChange = useMayChange();
  const [opened, setOpened] = useState(false);
  const isAnythingLeft = run.undone ? run.undone.keptCount > 0 : run.successCount > 0;
  if (!mayChange || run.undoableUntil === null || !isAnythingLeft) return null;
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => setOpened(true)}>
        Take back
      </Button>
      <Modal opened={opened} onClose={close} title="Take this run back?" size="lg">
        <UndoDialog run={run} close={close} />
      </Modal>
    </>
  );
}
