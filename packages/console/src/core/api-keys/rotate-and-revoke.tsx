import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import type { ConsoleApiKey, CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { notifications } from "@mantine/notifications";
import { useChange } from "../api/queries.js";
import { Confirm, type Confirmation } from "../ui/confirm.js";
import { Failure } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { NewApiKey } from "./create-api-key.js";

const hourMs = 3_600_000;
const overlaps = [
  { value: "0", label: "Stops working immediately" },
  { value: String(hourMs), label: "Keeps working for 1 hour" },
  { value: String(24 * hourMs), label: "Keeps working for 24 hours" },
  { value: String(7 * 24 * hourMs), label: "Keeps working for 7 days" },
  { value: String(30 * 24 * hourMs), label: "Keeps working for 30 days" },
];

/** Creates a key with the same permissions. The old key keeps working for a while, so that callers can switch. */
export function RotateKey({ apiKey, onClose }: { apiKey: ConsoleApiKey | null; onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(24 * hourMs));
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const rotate = useChange("rotateApiKey", { refresh: ["listApiKeys", "getApiKey"] });
  const done = () => {
    setCreated(null);
    rotate.reset();
    onClose();
  };
  return (
    <Modal
      opened={apiKey !== null}
      onClose={done}
      title={`Rotate ${apiKey?.name ?? ""}`}
      size="lg"
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      withCloseButton={created === null}
    >
      {created ? (
        <NewApiKey apiKey={created} onDone={done} />
      ) : (
        <Stack gap="md">
          {rotate.error ? <Failure error={rotate.error} /> : null}
          <Text size="sm">This creates a new key with the same permissions. It is shown only once.</Text>
          <Select
            label="The old key"
            data={overlaps}
            value={overlap}
            onChange={(value) => setOverlap(value ?? "0")}
            allowDeselect={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              Cancel
            </Button>
            <Button
              loading={rotate.isPending}
              onClick={() =>
                rotate.mutate(
                  { parameters: { keyUuid: apiKey?.uuid ?? "" }, body: { overlapMs: Number(overlap) } },
                  { onSuccess: setCreated },
                )
              }
            >
              Rotate key
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** Revoking cannot be undone and stops callers at once, so the name has to be typed. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ConsoleApiKey | null; onClose: () => void }) {
  const revoke = useChange("revokeApiKey", { refresh: ["listApiKeys", "getApiKey"] });

  function close() {
    revoke.reset();
    onClose();
  }

  function confirm() {
    if (!apiKey) return;
    revoke.mutate(
      { parameters: { keyUuid: apiKey.uuid } },
      {
        onSuccess: () => {
          notifications.show({ message: `${apiKey.name} has been revoked.` });
          close();
        },
      },
    );
  }

  return (
    <Confirm
      confirmation={apiKey && confirmationOf(apiKey)}
      onConfirm={confirm}
      onCancel={close}
      isPending={revoke.isPending}
      error={revoke.error}
    />
  );
}

function confirmationOf({ name, prefix, createdAt, lastUsedAt }: ConsoleApiKey): Confirmation {
  return {
    title: `Revoke ${name}`,
    consequences: (
      <>
        Requests with the key <span className="monospace">{prefix}…</span>, created{" "}
        <Moment value={createdAt} />, will be refused immediately. This cannot be undone.{" "}
        {lastUsedAt ? (
          <>
            It was last used <Moment value={lastUsedAt} />.
          </>
        ) : (
          "It has never been used."
        )}
      </>
    ),
    action: "Revoke key",
    isDangerous: true,
    typed: name,
  };
}
