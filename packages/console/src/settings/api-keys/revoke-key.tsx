import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useChange } from "../../api/queries.js";
import { Failure } from "../../ui/states.js";
import { Moment } from "../../ui/time.js";

/** Cannot be undone and stops callers at once, so the name has to be typed. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ConsoleApiKey | null; onClose: () => void }) {
  return (
    <Modal opened={apiKey !== null} onClose={onClose} title={`Revoke ${apiKey?.name ?? ""}`}>
      {apiKey ? <RevokeForm apiKey={apiKey} onDone={onClose} /> : null}
    </Modal>
  );
}

function RevokeForm({ apiKey, onDone }: { apiKey: ConsoleApiKey; onDone: () => void }) {
  const [typed, setTyped] = useState("");
  const revoke = useChange("revokeApiKey", { refresh: ["listApiKeys", "getApiKey"] });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        revoke.mutate(
          { parameters: { keyUuid: apiKey.uuid } },
          {
            onSuccess: () => {
              notifications.show({ message: `${apiKey.name} has been revoked.` });
              onDone();
            },
          },
        );
      }}
    >
      <Stack gap="md">
        {revoke.error ? <Failure error={revoke.error} /> : null}
        <Text size="sm">
          Requests with the key <span className="monospace">{apiKey.prefix}…</span>, created{" "}
          <Moment value={apiKey.createdAt} />, will be refused immediately. This cannot be undone.{" "}
          {apiKey.lastUsedAt ? (
            <>
              It was last used <Moment value={apiKey.lastUsedAt} />.
            </>
          ) : (
            "It has never been used."
          )}
        </Text>
        <TextInput
          label={`Type ${apiKey.name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={typed !== apiKey.name} loading={revoke.isPending}>
            Revoke key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
