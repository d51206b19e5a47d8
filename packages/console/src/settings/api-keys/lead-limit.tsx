import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { showOwnLimit } from "@gatehouse-parking/contract";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useChange } from "../../api/queries.js";
import { SaveFailure } from "../../editing/save-failure.js";
import { useSharedForm } from "../../editing/shared-form.js";
import { limitProblem } from "../limit-problem.js";

interface LimitedKey {
  apiKey: ConsoleApiKey;
  /** Reads the key again. */
  reload: () => Promise<ConsoleApiKey | undefined>;
  isReloading: boolean;
  onClose: () => void;
}

/** For operators of the service: how many leads a web site may send with this key from one address. */
export function LeadLimit({ limited, onClose }: { limited: LimitedKey | null; onClose: () => void }) {
  return (
    <Modal
      opened={limited !== null}
      onClose={onClose}
      title={`Lead limit of ${limited?.apiKey.name ?? ""}`}
      closeOnClickOutside={false}
    >
      {limited ? <LimitForm {...limited} /> : null}
    </Modal>
  );
}

function toValues({ leadLimit }: ConsoleApiKey) {
  return { leadLimit: leadLimit ? showOwnLimit(leadLimit) : "" };
}

function LimitForm({ apiKey, reload, isReloading, onClose }: LimitedKey) {
  const change = useChange("changeLeadLimit", { refresh: ["listApiKeys", "getApiKey"] });
  const { form, opened, goOnFrom } = useSharedForm(apiKey, toValues, { leadLimit: limitProblem });

  function submit({ leadLimit }: { leadLimit: string }) {
    change.mutate(
      {
        parameters: { keyUuid: opened.uuid },
        body: { leadLimit: leadLimit.trim() || null, version: opened.version },
      },
      {
        onSuccess: (saved) => {
          notifications.show({ message: `The lead limit of ${saved.name} is saved.` });
          onClose();
        },
      },
    );
  }

  async function goOn() {
    const fresh = await reload();
    if (!fresh) return;
    change.reset();
    goOnFrom(fresh);
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        {change.error ? (
          <SaveFailure error={change.error} reload={() => void goOn()} isReloading={isReloading} />
        ) : null}
        <TextInput
          label="Leads from one address"
          description="Requests/seconds, such as 100/60. Empty: the organization's limit."
          maxLength={20}
          data-autofocus
          {...form.getInputProps("leadLimit")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save limit
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
