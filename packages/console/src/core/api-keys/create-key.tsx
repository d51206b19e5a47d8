import { Anchor, Group, Input, Select, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { defaultPermissions, type Permission } from "@gatehouse-parking/contract";
import { useChange } from "../api/queries.js";
import { Form } from "../ui/form.js";
import { chosenPermissions, KeyFields, validateKey } from "./key-fields.js";
import { NewKeyDialog, type NewKeyProps } from "./new-key.js";
import { texts } from "./texts.js";

const dayMs = 86_400_000;
const lifetimes = [
  { value: "never", label: texts.lifetimes.never },
  { value: "30", label: texts.lifetimes["30"] },
  { value: "90", label: texts.lifetimes["90"] },
  { value: "365", label: texts.lifetimes["365"] },
  { value: "date", label: texts.lifetimes.date },
];

interface Preset {
  permissions: readonly Permission[];
  lifetime: string;
}

/** The least permissions for a purpose. */
const presets: Record<"backEnd" | "webForm", Preset> = {
  backEnd: {
    permissions: defaultPermissions.filter((permission) => permission !== "leads:write"),
    lifetime: "365",
  },
  // Leads would be lost without anyone noticing once the key of a form has expired.
  webForm: { permissions: ["leads:write"], lifetime: "never" },
};
type PresetName = keyof typeof presets | "custom";
const presetNames: PresetName[] = ["backEnd", "webForm", "custom"];

export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <NewKeyDialog opened={opened} onClose={onClose} title={texts.create}>
      {(made) => <CreateForm {...made} />}
    </NewKeyDialog>
  );
}

function toValues({ permissions, lifetime }: Preset) {
  return { permissions: [...permissions] as string[], lifetime };
}

function CreateForm({ onCreated, onCancel }: NewKeyProps) {
  const create = useChange("createApiKey", { refresh: ["listApiKeys"] });
  const form = useForm({
    initialValues: {
      ...toValues(presets.backEnd),
      preset: "backEnd" as PresetName,
      name: "",
      date: "",
      leadOrigins: [] as string[],
    },
    validate: {
      ...validateKey,
      date: (value, values) => (values.lifetime === "date" && value === "" ? texts.form.dateMissing : null),
    },
  });
  const { preset } = form.values;
  /** A custom key starts with what is chosen already. */
  const choose = (name: PresetName) =>
    form.setValues({ preset: name, ...(name !== "custom" && toValues(presets[name])) });
  const submit = ({ name, leadOrigins, lifetime, date, ...chosen }: typeof form.values) => {
    const permissions = chosenPermissions(chosen.permissions);
    const expiresAt = expiryOf(lifetime, date);
    const body = {
      name,
      permissions,
      ...(permissions.includes("leads:write") && { leadOrigins }),
      ...(expiresAt && { expiresAt }),
    };
    create.mutate({ body }, { onSuccess: onCreated });
  };
  return (
    <Form
      change={create}
      onSubmit={form.onSubmit(submit)}
      noValidate
      action={texts.form.create}
      onCancel={onCancel}
    >
      <Input.Wrapper label={texts.presets.label} labelElement="div" description={texts.presets.help[preset]}>
        <SegmentedControl
          aria-label={texts.presets.label}
          data={presetNames.map((value) => ({ value, label: texts.presets.names[value] }))}
          value={preset}
          onChange={(value) => choose(value as PresetName)}
          fullWidth
          mt={6}
        />
      </Input.Wrapper>
      <KeyFields
        form={form}
        permissionLine={
          preset === "custom" ? undefined : (
            <Text size="sm">
              {texts.presets.may(chosenPermissions(form.values.permissions))}{" "}
              <Anchor
                component="button"
                type="button"
                size="sm"
                aria-label={texts.presets.changeLabel}
                onClick={() => choose("custom")}
              >
                {texts.presets.change}
              </Anchor>
            </Text>
          )
        }
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
