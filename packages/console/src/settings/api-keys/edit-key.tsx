import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ChangeApiKeyRequest, ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useChange } from "../../api/queries.js";
import { SaveFailure } from "../../editing/save-failure.js";
import { useSharedForm } from "../../editing/shared-form.js";
import {
  chosenPermissions,
  nameGiven,
  NameField,
  OriginsField,
  PermissionsField,
  someChosen,
} from "./key-fields.js";

interface Editing {
  apiKey: ConsoleApiKey;
  /** Reads the key again. */
  reload: () => Promise<ConsoleApiKey | undefined>;
  isReloading: boolean;
  onClose: () => void;
}

export function EditKey({ editing, onClose }: { editing: Editing | null; onClose: () => void }) {
  return (
    <Modal
      opened={editing !== null}
      onClose={onClose}
      title={`Edit ${editing?.apiKey.name ?? ""}`}
      size="lg"
      closeOnClickOutside={false}
    >
      {editing ? <EditForm {...editing} /> : null}
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

function EditForm({ apiKey, reload, isReloading, onClose }: Editing) {
  const change = useChange("changeApiKey", { refresh: ["listApiKeys", "getApiKey"] });
  const { form, opened, goOnFrom } = useSharedForm(apiKey, toValues, {
    name: nameGiven,
    permissions: someChosen,
  });

  function submit(values: Values) {
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
        <NameField form={form} />
        <PermissionsField form={form} />
        <TextInput
          label="Expires on, at midnight UTC"
          description="Empty: never."
          type="date"
          {...form.getInputProps("day")}
        />
        <OriginsField form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A day that was not touched leaves the moment of that day alone. */
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
