import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { permissions } from "@gatehouse-parking/contract";
import type { CreateApiKeyRequest, CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useChange } from "../api/queries.js";
import { DialogButtons } from "../ui/confirm.js";
import { Code } from "../ui/copyable.js";
import { IconKey } from "../ui/icons.js";
import { Failure } from "../ui/states.js";
import {
  chosenPermissions,
  NameField,
  nameGiven,
  OriginsField,
  PermissionsField,
  someChosen,
} from "./api-key-fields.js";

const dayMs = 86_400_000;
const lifetimes = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In one year" },
  { value: "date", label: "On a date…" },
];

/** The form, then the new key, which is shown only once. */
export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const done = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={done}
      title="Create New API Key"
      size="lg"
      // Clicking outside or pressing Escape must not discard a key that nobody has stored yet.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      withCloseButton={created === null}
    >
      {created ? (
        <NewApiKey apiKey={created} onDone={done} />
      ) : (
        <KeyForm onCreated={setCreated} onCancel={done} />
      )}
    </Modal>
  );
}

function KeyForm({ onCreated, onCancel }: { onCreated: (key: CreatedApiKey) => void; onCancel: () => void }) {
  const create = useChange("createApiKey", { refresh: ["listApiKeys"] });
  const form = useForm({
    initialValues: {
      name: "",
      permissions: [...permissions] as string[],
      lifetime: "never",
      date: "",
      leadOrigins: [] as string[],
    },
    validate: {
      name: nameGiven,
      permissions: someChosen,
      date: (value, values) => (values.lifetime === "date" && value === "" ? "Choose a date" : null),
    },
  });

  function submit(values: typeof form.values) {
    const expiresAt = expiryOf(values.lifetime, values.date);
    const body: CreateApiKeyRequest = {
      name: values.name,
      permissions: chosenPermissions(values.permissions),
      leadOrigins: values.leadOrigins,
      ...(expiresAt ? { expiresAt } : {}),
    };
    create.mutate({ body }, { onSuccess: onCreated });
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        {create.error ? <Failure error={create.error} /> : null}
        <NameField form={form} />
        <PermissionsField form={form} />
        <Group grow align="flex-start">
          <Select
            label="Expires"
            data={lifetimes}
            allowDeselect={false}
            {...form.getInputProps("lifetime")}
          />
          {form.values.lifetime === "date" ? (
            <TextInput label="On, at midnight UTC" type="date" {...form.getInputProps("date")} />
          ) : null}
        </Group>
        <OriginsField form={form} />
        <DialogButtons action="Create key" onCancel={onCancel} loading={create.isPending} />
      </Stack>
    </form>
  );
}

function expiryOf(lifetime: string, date: string): string | undefined {
  if (lifetime === "never") return undefined;
  if (lifetime === "date") return `${date}T00:00:00.000Z`;
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString();
}

/** The key is shown only here, so the user has to confirm that it is stored. */
export function NewApiKey({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
  const [stored, setStored] = useState(false);
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconKey size={18} />} p="sm">
        This is the only time the key is shown. Copy it to a safe place now.
      </Alert>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {apiKey.name}
        </Text>
        <Code text={apiKey.key} label="The new API key" copyLabel="Copy API key" />
      </div>
      <Text size="sm" c="dimmed">
        Send it in the X-API-KEY header. Keep keys for imports on your servers, never in a web page or an app.
      </Text>
      <Checkbox
        label="I have stored it"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!stored}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
