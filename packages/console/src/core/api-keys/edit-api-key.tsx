import { Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ChangeApiKeyRequest, ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useChange } from "../api/queries.js";
import { DialogForm } from "../editing/edit-forms.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import {
  chosenPermissions,
  NameField,
  nameGiven,
  OriginsField,
  PermissionsField,
  someChosen,
} from "./api-key-fields.js";

/** `source` is the key to edit, or null while the dialog is closed. */
export function EditKey({
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
      title={`Edit ${source?.saved.name ?? ""}`}
      size="lg"
      closeOnClickOutside={false}
    >
      {source ? <EditForm source={source} onClose={onClose} /> : null}
    </Modal>
  );
}

type Values = { name: string; permissions: string[]; leadOrigins: string[]; day: string };

function toValues(key: ConsoleApiKey): Values {
  return {
    name: key.name,
    permissions: key.permissions,
    leadOrigins: key.leadOrigins,
    day: key.expiresAt?.slice(0, 10) ?? "",
  };
}

function EditForm({ source, onClose }: { source: SharedSource<ConsoleApiKey>; onClose: () => void }) {
  const change = useChange("changeApiKey", { refresh: ["listApiKeys", "getApiKey"] });
  const shared = useSharedForm(source, toValues, { name: nameGiven, permissions: someChosen });
  const { form, opened } = shared;

  function save(values: Values) {
    change.mutate(
      { parameters: { keyUuid: opened.uuid }, body: toRequest(values, opened) },
      {
        onSuccess: (saved) => {
          notifications.show({ message: `${saved.name} is saved.` });
          onClose();
        },
      },
    );
  }

  return (
    <DialogForm shared={shared} saving={change} save={save} action="Save key" onCancel={onClose}>
      <NameField form={form} />
      <PermissionsField form={form} />
      <TextInput
        label="Expires on, at midnight UTC"
        description="Empty: never."
        type="date"
        {...form.getInputProps("day")}
      />
      <OriginsField form={form} />
    </DialogForm>
  );
}

/** An unchanged day keeps the exact expiry time. */
function toRequest(values: Values, opened: ConsoleApiKey): ChangeApiKeyRequest {
  const isSameDay = values.day === toValues(opened).day;
  return {
    name: values.name,
    permissions: chosenPermissions(values.permissions),
    leadOrigins: values.leadOrigins,
    ...(isSameDay ? {} : { expiresAt: values.day === "" ? null : `${values.day}T00:00:00.000Z` }),
    version: opened.version,
  };
}
