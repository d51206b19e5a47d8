import { Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { showOwnLimit } from "@gatehouse-parking/contract";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useChange } from "../api/queries.js";
import { DialogForm } from "../editing/edit-forms.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { limitProblem } from "../settings/rate-limits.js";

/** Operators limit how many leads one address may send with this key. `source` is null while the dialog is closed. */
export function LeadLimit({
  source,
  onClose,
}: {
  source: SharedSource<ConsoleApiKey> | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={source !== null}
      onClose={onClose}
      title={`Lead limit of ${source?.saved.name ?? ""}`}
      closeOnClickOutside={false}
    >
      {source ? <LimitForm source={source} onClose={onClose} /> : null}
    </Modal>
  );
}

function toValues({ leadLimit }: ConsoleApiKey) {
  return { leadLimit: leadLimit ? showOwnLimit(leadLimit) : "" };
}

function LimitForm({ source, onClose }: { source: SharedSource<ConsoleApiKey>; onClose: () => void }) {
  const change = useChange("changeLeadLimit", { refresh: ["listApiKeys", "getApiKey"] });
  const shared = useSharedForm(source, toValues, { leadLimit: limitProblem });
  const { form, opened } = shared;

  function save({ leadLimit }: { leadLimit: string }) {
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

  return (
    <DialogForm shared={shared} saving={change} save={save} action="Save limit" onCancel={onClose}>
      <TextInput
        label="Leads from one address"
        description="Requests/seconds, such as 100/60. Empty: the organization's limit."
        maxLength={20}
        data-autofocus
        {...form.getInputProps("leadLimit")}
      />
    </DialogForm>
  );
}
