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
import {
  defaultPermissions,
  permissions,
  showLimitOverride,
  type Permission,
} from "@gatehouse-parking/contract";
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
import { texts } from "./texts.js";

export type KeyAction = "edit" | "lead limit" | "rotate" | "revoke";

/** The dialogs of the actions on a key. */
export function KeyDialogs({ action, source, onClose }: Partial<EditProps> & KeyDialogsProps) {
  const apiKey = source?.saved;
  const name = apiKey?.name ?? "";
  const edit = (kind: KeyAction, title: string, Content: ComponentType<EditProps>, size?: "lg") => (
    <Modal opened={action === kind} onClose={onClose} title={title} size={size} closeOnClickOutside={false}>
      {source ? <Content source={source} onClose={onClose} /> : null}
    </Modal>
  );
  return (
    <>
      {edit("edit", texts.edit.title(name), EditForm, "lg")}
      {edit("lead limit", texts.limit.title(name), LimitForm)}
      <NewKeyDialog opened={action === "rotate"} onClose={onClose} title={texts.rotate.title(name)}>
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

/** The fields of a new key and of an existing one. `expiry` is the part in which they differ. */
function KeyFields({ form, expiry }: { form: KeyForm; expiry: ReactNode }) {
  return (
    <>
      <TextInput
        label={texts.columns.name}
        description={texts.form.nameHelp}
        placeholder={texts.form.nameExample}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label={texts.columns.permissions} {...form.getInputProps("permissions")}>
        <Stack gap={8} mt={6}>
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={texts.permission(permission)}
              description={permission}
              size="sm"
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {expiry}
      {form.values.permissions.includes("leads:write") ? (
        <TagsInput
          label={texts.columns.leadOrigins}
          description={texts.form.leadOriginsHelp}
          placeholder={form.values.leadOrigins.length === 0 ? texts.form.leadOriginExample : ""}
          acceptValueOnBlur
          {...form.getInputProps("leadOrigins")}
        />
      ) : null}
    </>
  );
}

const validate = {
  name: (value: string) => (value.trim() === "" ? texts.form.nameMissing : null),
  permissions: (value: string[]) => (value.length === 0 ? texts.form.permissionsMissing : null),
};

/** In the order of the API reference. */
function chosenPermissions(chosen: readonly string[]): Permission[] {
  return permissions.filter((permission) => chosen.includes(permission));
}

const dayMs = 86_400_000;
const lifetimes = [
  { value: "never", label: texts.lifetimes.never },
  { value: "30", label: texts.lifetimes["30"] },
  { value: "90", label: texts.lifetimes["90"] },
  { value: "365", label: texts.lifetimes["365"] },
  { value: "date", label: texts.lifetimes.date },
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
      // Clicking outside or pressing Escape must not discard a key that is not saved yet.
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
    <NewKeyDialog opened={opened} onClose={onClose} title={texts.create}>
      {(made) => <CreateForm {...made} />}
    </NewKeyDialog>
  );
}

function CreateForm({ onCreated, onCancel }: NewKeyProps) {
  const create = useChange("createApiKey", { refresh: ["listApiKeys"] });
  const form = useForm({
    initialValues: {
      name: "",
      permissions: [...defaultPermissions] as string[],
      lifetime: "never",
      date: "",
      leadOrigins: [] as string[],
    },
    validate: {
      ...validate,
      date: (value, values) => (values.lifetime === "date" && value === "" ? texts.form.dateMissing : null),
    },
  });
  const submit = ({ name, leadOrigins, lifetime, date, ...chosen }: typeof form.values) => {
    const body = { name, leadOrigins, permissions: chosenPermissions(chosen.permissions) };
    const expiresAt = expiryOf(lifetime, date);
    create.mutate({ body: { ...body, ...(expiresAt && { expiresAt }) } }, { onSuccess: onCreated });
  };
  return (
    <Form
      change={create}
      onSubmit={form.onSubmit(submit)}
      noValidate
      action={texts.form.create}
      onCancel={onCancel}
    >
      <KeyFields
        form={form}
        expiry={
          <Group grow align="flex-start">
            <Select
              label={texts.columns.expires}
              data={lifetimes}
              allowDeselect={false}
              {...form.getInputProps("lifetime")}
            />
            {form.values.lifetime === "date" ? (
              <TextInput label={texts.form.date} type="date" {...form.getInputProps("date")} />
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
        {texts.newKey.warning}
      </Alert>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {apiKey.name}
        </Text>
        <Code text={apiKey.key} label={texts.newKey.label} copyLabel={texts.newKey.copy} />
      </div>
      <Text size="sm" c="dimmed">
        {texts.newKey.usage}
      </Text>
      <Checkbox
        label={texts.newKey.saved}
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!stored}>
          {texts.newKey.done}
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
    message: ({ name }) => texts.form.saved(name),
    onSaved: onClose,
  });
  return (
    <DialogForm {...edit} action={texts.form.save} onCancel={onClose}>
      <KeyFields
        form={shared.form}
        expiry={
          <TextInput
            label={texts.form.expiresAtMidnight}
            description={texts.form.expiresHelp}
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
    ({ leadLimit }) => ({ leadLimit: leadLimit ? showLimitOverride(leadLimit) : "" }),
    { leadLimit: limitProblem },
  );
  const edit = useSave("changeLeadLimit", shared, {
    refresh,
    toBody: ({ leadLimit }, { version }) => ({ leadLimit: leadLimit.trim() || null, version }),
    parameters: { keyUuid: shared.opened.uuid },
    message: ({ name }) => texts.limit.saved(name),
    onSaved: onClose,
  });
  return (
    <DialogForm {...edit} action={texts.limit.save} onCancel={onClose}>
      <TextInput
        label={texts.limit.label}
        description={texts.limit.help}
        maxLength={20}
        data-autofocus
        {...shared.form.getInputProps("leadLimit")}
      />
    </DialogForm>
  );
}

const hourMs = 3_600_000;
const overlaps = [
  { value: "0", label: texts.rotate.overlaps.none },
  { value: String(hourMs), label: texts.rotate.overlaps.hour },
  { value: String(24 * hourMs), label: texts.rotate.overlaps.day },
  { value: String(7 * 24 * hourMs), label: texts.rotate.overlaps.week },
  { value: String(30 * 24 * hourMs), label: texts.rotate.overlaps.month },
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
      action={texts.rotate.submit}
      onCancel={onCancel}
    >
      <Text size="sm">{texts.rotate.explanation}</Text>
      <Select
        label={texts.rotate.oldKey}
        data={overlaps}
        value={overlap}
        onChange={(value) => setOverlap(value ?? "0")}
        allowDeselect={false}
      />
    </Form>
  );
}

/** Revoking stops callers at once, so the name of a key that was used has to be typed. */
function RevokeKey({ apiKey, onClose }: { apiKey: ConsoleApiKey | null; onClose: () => void }) {
  return (
    <ConfirmChange
      confirmation={apiKey && revocationOf(apiKey)}
      change={useChange("revokeApiKey", { refresh })}
      variables={{ parameters: { keyUuid: apiKey?.uuid ?? "" } }}
      onClose={onClose}
      onDone={() => notifications.show({ message: texts.revoke.done(apiKey?.name ?? "") })}
    />
  );
}

function revocationOf({ name, prefix, createdAt, lastUsedAt }: ConsoleApiKey): Confirmation {
  return {
    title: texts.revoke.title(name),
    consequences: texts.revoke.consequences(
      <span className="monospace">{prefix}…</span>,
      <Moment value={createdAt} />,
      lastUsedAt && <Moment value={lastUsedAt} />,
    ),
    action: texts.revoke.submit,
    isDangerous: true,
    reversal: null,
    ...(lastUsedAt && { typed: name }),
  };
}
