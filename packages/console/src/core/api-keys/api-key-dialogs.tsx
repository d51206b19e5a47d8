import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm, type GetInputPropsReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { permissions, showOwnLimit, type Permission } from "@gatehouse-parking/contract";
import type { ChangeApiKeyRequest, ConsoleApiKey, CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useState, type ComponentType, type ReactNode } from "react";
import { useChange } from "../api/queries.js";
import { DialogForm, useSave } from "../editing/edit-forms.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { limitProblem } from "../settings/rate-limits.js";
import { Code } from "../ui/copyable.js";
import { ConfirmChange, Form, type Confirmation } from "../ui/form.js";
import { IconKey } from "../ui/icons.js";
import { Moment } from "../ui/time.js";

export type KeyAction = "edit" | "lead limit" | "rotate" | "revoke";

/** The dialogs of the actions on a key. */
export function KeyDialogs({ action, source, onClose }: Partial<EditProps> & KeyDialogsProps) {
  const apiKey = source?.saved;
  const edit = (kind: KeyAction, title: string, Content: ComponentType<EditProps>, size?: "lg") => (
    <Modal
      opened={action === kind}
      onClose={onClose}
      title={`${title} ${apiKey?.name ?? ""}`}
      size={size}
      closeOnClickOutside={false}
    >
      {source ? <Content source={source} onClose={onClose} /> : null}
    </Modal>
  );
  return (
    <>
      {edit("edit", "Edit", EditForm, "lg")}
      {edit("lead limit", "Lead limit of", LimitForm)}
      <NewKeyDialog opened={action === "rotate"} onClose={onClose} title={`Rotate ${apiKey?.name ?? ""}`}>
        {(made) => (apiKey ? <RotateForm apiKey={apiKey} {...made} /> : null)}
      </NewKeyDialog>
      <RevokeKey apiKey={action === "revoke" && apiKey ? apiKey : null} onClose={onClose} />
    </>
  );
}

interface KeyDialogsProps {
  /** Null while no dialog is open. */
  action: KeyAction | null;
  onClose: () => void;
}

interface EditProps {
  source: SharedSource<ConsoleApiKey>;
  onClose: () => void;
}

interface KeyForm {
  values: { permissions: string[]; leadOrigins: string[] };
  getInputProps: (field: string) => GetInputPropsReturnType;
}

function permissionLabel(permission: Permission): string {
  if (permission === "leads:write") return "Submit leads";
  if (permission === "locations:read") return "List locations";
  if (permission === "imports:read") return "Read import runs";
  return `Import ${permission.replace(":write", "")}`;
}

/** The fields of a new key and of an existing one. `expiry` is the part in which they differ. */
function KeyFields({ form, expiry }: { form: KeyForm; expiry: ReactNode }) {
  return (
    <>
      <TextInput
        label="Name"
        description="Where it will be used, so that you can recognize it later."
        placeholder="Booking back end, production"
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
              label={permissionLabel(permission)}
              description={permission}
              size="sm"
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {expiry}
      {form.values.permissions.includes("leads:write") ? (
        <TagsInput
          label="Allowed lead origins"
          description="Web sites that may submit leads with this key, such as https://www.example.com. Leave empty to use the organization's list."
          placeholder={form.values.leadOrigins.length === 0 ? "https://www.example.com" : ""}
          acceptValueOnBlur
          {...form.getInputProps("leadOrigins")}
        />
      ) : null}
    </>
  );
}

const validate = {
  name: (value: string) => (value.trim() === "" ? "Give the key a name" : null),
  permissions: (value: string[]) => (value.length === 0 ? "Choose at least one permission" : null),
};

/** In the order of the API reference. */
function chosenPermissions(chosen: readonly string[]): Permission[] {
  return permissions.filter((permission) => chosen.includes(permission));
}

const dayMs = 86_400_000;
const lifetimes = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In one year" },
  { value: "date", label: "On a date…" },
];

interface NewKeyProps {
  onCreated: (key: CreatedApiKey) => void;
  onCancel: () => void;
}

/** A dialog that makes a key: its form, then the new key, which is shown only once. */
function NewKeyDialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: (made: NewKeyProps) => ReactNode;
}) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const close = () => {
    setCreated(null);
    props.onClose();
  };
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title={props.title}
      size="lg"
      // Clicking outside or pressing Escape must not discard a key that nobody has stored yet.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      withCloseButton={created === null}
    >
      {created ? (
        <NewApiKey apiKey={created} onDone={close} />
      ) : (
        props.children({ onCreated: setCreated, onCancel: close })
      )}
    </Modal>
  );
}

export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <NewKeyDialog opened={opened} onClose={onClose} title="Create New API Key">
      {(made) => <CreateForm {...made} />}
    </NewKeyDialog>
  );
}

function CreateForm({ onCreated, onCancel }: NewKeyProps) {
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
      ...validate,
      date: (value, values) => (values.lifetime === "date" && value === "" ? "Choose a date" : null),
    },
  });
  const submit = ({ name, leadOrigins, lifetime, date, ...chosen }: typeof form.values) => {
    const body = { name, leadOrigins, permissions: chosenPermissions(chosen.permissions) };
    const expiresAt = expiryOf(lifetime, date);
    create.mutate({ body: { ...body, ...(expiresAt && { expiresAt }) } }, { onSuccess: onCreated });
  };
  return (
    <Form change={create} onSubmit={form.onSubmit(submit)} noValidate action="Create key" onCancel={onCancel}>
      <KeyFields
        form={form}
        expiry={
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
        }
      />
    </Form>
  );
}

function expiryOf(lifetime: string, date: string): string | undefined {
  if (lifetime === "never") return undefined;
  if (lifetime === "date") return `${date}T00:00:00.000Z`;
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString();
}

/** The key is shown only here, so the user has to confirm that it is stored. */
function NewApiKey({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
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

const refresh = ["listApiKeys", "getApiKey"] as ("listApiKeys" | "getApiKey")[];

function toValues({ name, permissions: chosen, leadOrigins, expiresAt }: ConsoleApiKey) {
  return { name, permissions: chosen as string[], leadOrigins, day: expiresAt?.slice(0, 10) ?? "" };
}

function EditForm({ source, onClose }: EditProps) {
  const shared = useSharedForm(source, toValues, validate);
  const edit = useSave("changeApiKey", shared, {
    refresh,
    toBody,
    parameters: { keyUuid: shared.opened.uuid },
    message: ({ name }) => `${name} is saved.`,
    onSaved: onClose,
  });
  return (
    <DialogForm {...edit} action="Save key" onCancel={onClose}>
      <KeyFields
        form={shared.form}
        expiry={
          <TextInput
            label="Expires on, at midnight UTC"
            description="Empty: never."
            type="date"
            {...shared.form.getInputProps("day")}
          />
        }
      />
    </DialogForm>
  );
}

/** An unchanged day keeps the exact expiry time. */
function toBody(values: ReturnType<typeof toValues>, opened: ConsoleApiKey): ChangeApiKeyRequest {
  const { name, leadOrigins, day } = values;
  return {
    name,
    permissions: chosenPermissions(values.permissions),
    leadOrigins,
    ...(day !== toValues(opened).day && { expiresAt: day === "" ? null : `${day}T00:00:00.000Z` }),
    version: opened.version,
  };
}

/** Operators limit how many leads one address may send with a key. */
function LimitForm({ source, onClose }: EditProps) {
  const shared = useSharedForm(
    source,
    ({ leadLimit }) => ({ leadLimit: leadLimit ? showOwnLimit(leadLimit) : "" }),
    { leadLimit: limitProblem },
  );
  const edit = useSave("changeLeadLimit", shared, {
    refresh,
    toBody: ({ leadLimit }, { version }) => ({ leadLimit: leadLimit.trim() || null, version }),
    parameters: { keyUuid: shared.opened.uuid },
    message: ({ name }) => `The lead limit of ${name} is saved.`,
    onSaved: onClose,
  });
  return (
    <DialogForm {...edit} action="Save limit" onCancel={onClose}>
      <TextInput
        label="Leads from one address"
        description="Requests/seconds, such as 100/60. Empty: the organization's limit."
        maxLength={20}
        data-autofocus
        {...shared.form.getInputProps("leadLimit")}
      />
    </DialogForm>
  );
}

const hourMs = 3_600_000;
const overlaps = [
  { value: "0", label: "Stops working immediately" },
  { value: String(hourMs), label: "Keeps working for 1 hour" },
  { value: String(24 * hourMs), label: "Keeps working for 24 hours" },
  { value: String(7 * 24 * hourMs), label: "Keeps working for 7 days" },
  { value: String(30 * 24 * hourMs), label: "Keeps working for 30 days" },
];

/** Creates a key with the same permissions. The old key keeps working for a while, so that callers can switch. */
function RotateForm({ apiKey, onCreated, onCancel }: NewKeyProps & { apiKey: ConsoleApiKey }) {
  const [overlap, setOverlap] = useState(String(24 * hourMs));
  const rotate = useChange("rotateApiKey", { refresh });
  const variables = { parameters: { keyUuid: apiKey.uuid }, body: { overlapMs: Number(overlap) } };
  return (
    <Form
      change={rotate}
      onSubmit={() => rotate.mutate(variables, { onSuccess: onCreated })}
      action="Rotate key"
      onCancel={onCancel}
    >
      <Text size="sm">This creates a new key with the same permissions. It is shown only once.</Text>
      <Select
        label="The old key"
        data={overlaps}
        value={overlap}
        onChange={(value) => setOverlap(value ?? "0")}
        allowDeselect={false}
      />
    </Form>
  );
}

/** Revoking cannot be undone and stops callers at once, so the name has to be typed. */
function RevokeKey({ apiKey, onClose }: { apiKey: ConsoleApiKey | null; onClose: () => void }) {
  return (
    <ConfirmChange
      confirmation={apiKey && revocationOf(apiKey)}
      change={useChange("revokeApiKey", { refresh })}
      variables={{ parameters: { keyUuid: apiKey?.uuid ?? "" } }}
      onClose={onClose}
      onDone={() => notifications.show({ message: `${apiKey?.name} has been revoked.` })}
    />
  );
}

function revocationOf({ name, prefix, createdAt, lastUsedAt }: ConsoleApiKey): Confirmation {
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
