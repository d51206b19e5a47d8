import { Button, Checkbox, Group, Modal, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { permissions, type Permission } from "@gatehouse-parking/contract";
import type { CreateApiKeyRequest, CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useChange } from "../../api/queries.js";
import { Failure } from "../../ui/states.js";
import { ShownOnce } from "./shown-once.js";

function meaningOf(permission: Permission): string {
  switch (permission) {
    case "leads:write":
      return "Submit leads";
    case "locations:read":
      return "List locations";
    case "imports:read":
      return "Read import runs";
    default:
      return `Import ${permission.replace(":write", "")}`;
  }
}

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
      name: (value) => (value.trim() === "" ? "Give the key a name" : null),
      permissions: (value) => (value.length === 0 ? "Choose at least one permission" : null),
      date: (value, values) => (values.lifetime === "date" && value === "" ? "Choose a date" : null),
    },
  });

  function submit(values: typeof form.values) {
    const expiresAt = expiryOf(values.lifetime, values.date);
    const body: CreateApiKeyRequest = {
      name: values.name,
      permissions: permissions.filter((permission) => values.permissions.includes(permission)),
      leadOrigins: values.leadOrigins,
      ...(expiresAt ? { expiresAt } : {}),
    };
    create.mutate({ body }, { onSuccess: onCreated });
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        {create.error ? <Failure error={create.error} /> : null}
        <TextInput
          label="Name"
          description="Where it will be used, so that you can recognize it later."
          placeholder="Booking server, production"
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Checkbox.Group label="Permissions" {...form.getInputProps("permissions")}>
          <Stack gap={8} mt={6}>
            {permissions.map((permission) => (
              <Checkbox
                key={permission}
                value={permission}
                label={meaningOf(permission)}
                description={permission}
                size="sm"
              />
            ))}
          </Stack>
        </Checkbox.Group>
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
        {form.values.permissions.includes("leads:write") ? (
          <TagsInput
            label="Allowed lead origins"
            description="Web sites that may submit leads with this key, such as https://www.example.com. Leave empty to use the organization's list."
            placeholder={form.values.leadOrigins.length === 0 ? "https://www.example.com" : ""}
            acceptValueOnBlur
            {...form.getInputProps("leadOrigins")}
          />
        ) : null}
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
