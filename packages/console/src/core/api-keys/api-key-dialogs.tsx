import { Modal, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { showLimitOverride } from "@gatehouse-parking/contract";
import type { ChangeApiKeyRequest, ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useState, type ComponentType } from "react";
import { useChange } from "../api/queries.js";
import { DialogForm, useSave } from "../editing/edit-forms.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { limitProblem } from "../settings/rate-limits.js";
import { ConfirmChange, Form, type Confirmation } from "../ui/form.js";
import { Moment } from "../ui/time.js";
import { chosenPermissions, KeyFields, validateKey } from "./key-fields.js";
import { NewKeyDialog, type NewKeyProps } from "./new-key.js";
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

const refresh = ["listApiKeys", "getApiKey"] as ("listApiKeys" | "getApiKey")[];

function toValues({ name, permissions: chosen, leadOrigins, expiresAt }: ConsoleApiKey) {
  return { name, permissions: chosen as string[], leadOrigins, day: expiresAt?.slice(0, 10) ?? "" };
}

function EditForm({ source, onClose }: EditProps) {
  const shared = useSharedForm(source, toValues, validateKey);
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
