import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { permissions } from "@gatehouse-parking/contract";
import type { CreateApiKeyRequest, CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useChange } from "../../api/queries.js";
import { Failure } from "../../ui/states.js";
import {
  chosenPermissions,
  nameGiven,
  NameField,
  OriginsField,
  PermissionsField,
  someChosen,
} from "./key-fields.js";
import { ShownOnce } from "./shown-once.js";

const dayMs = 86_400_000;
const lifetimes = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In one year" },
  { value: "date", label: "On a date…" },
];

/** Asks for what a key should be, then shows it, once. */
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
      // A click beside the window or Escape must not throw away a key that nobody has stored yet.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      withCloseButton={created === null}
    >
      {created ? (
        <ShownOnce apiKey={created} onDone={done} />
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function expiryOf(lifetime: string, date: string): string | undefined {
  if (lifetime === "never") return undefined;
  if (lifetime === "date") return `${date}T00:00:00.000Z`;
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString();
}
