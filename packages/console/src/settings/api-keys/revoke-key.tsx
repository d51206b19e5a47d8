import { notifications } from "@mantine/notifications";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useChange } from "../../api/queries.js";
import { Confirm, type Confirmation } from "../../ui/confirm.js";
import { Moment } from "../../ui/time.js";

/** Cannot be undone and stops callers at once, so the name has to be typed. */
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
