import {
  Button,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  captchaProviders,
  captchaTypes,
  plainSettingNames,
  plainSettings,
  type CaptchaType,
  type PlainSetting,
  type PlainSettingName,
  type PlainSettings,
} from "@gatehouse-parking/contract";
import type { ChangeSettingsRequest, OrganizationSettings } from "@gatehouse-parking/contract/console";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useApi, useChange } from "../api/queries.js";
import { SaveFailure } from "../editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { useMayChange } from "../session/session.js";
import { useUnsavedWarning } from "../shell/leave-guard.js";
import { Facts, type Fact } from "../ui/facts.js";
import { Panel } from "../ui/page.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { texts } from "./texts.js";

export default function FormSettings() {
  const settings = useApi("getOrganization");
  const mayChange = useMayChange();
  if (settings.isPending) return <RowsLoading rows={5} />;
  if (settings.error) return <Failure error={settings.error} retry={() => void settings.refetch()} />;
  return mayChange ? (
    <SettingsForm key={settings.data.uuid} source={sourceOf(settings)} />
  ) : (
    <Panel title={texts.tabs.forms}>
      <Facts
        items={[
          [
            texts.captcha.title,
            settings.data.captcha ? captchaProviders[settings.data.captcha.type].name : texts.captcha.isOff,
          ],
          ...fields.map(([name, { label }]): Fact => [label, shownValue(settings.data[name])]),
        ]}
      />
    </Panel>
  );
}

/** The settings that have a field in the form. */
const fields = plainSettingNames.flatMap((name) => {
  const { kind, form }: PlainSetting = plainSettings[name];
  return form ? [[name, { kind, ...form }] as const] : [];
});
const panels = [...new Set(fields.map(([, { panel }]) => panel))];

function shownValue(value: PlainSettings[PlainSettingName]): string | null {
  if (typeof value === "boolean") return value ? texts.forms.yes : texts.forms.no;
  return Array.isArray(value) ? value.join(", ") : value;
}

type Values = {
  captchaType: string;
  secret: string;
  minimumScore: number | string;
  hostnames: string[];
} & Partial<Record<PlainSettingName, string | boolean | string[]>>;

function toValues(settings: OrganizationSettings): Values {
  return {
    captchaType: settings.captcha?.type ?? "off",
    secret: "",
    minimumScore: settings.captcha?.minimumScore ?? "",
    hostnames: settings.captcha?.hostnames ?? [],
    ...Object.fromEntries(fields.map(([name]) => [name, settings[name] ?? ""])),
  };
}

function SettingsForm({ source }: { source: SharedSource<OrganizationSettings> }) {
  const change = useChange("changeSettings", { refresh: ["getOrganization"] });
  const shared = useSharedForm(source, toValues, {
    secret: (value, values) =>
      values.captchaType !== "off" && values.captchaType !== source.saved.captcha?.type && value === ""
        ? texts.captcha.secretMissing
        : null,
  });
  const { form, opened } = shared;
  useUnsavedWarning(form.isDirty() && !change.isPending);

  function save(values: Values) {
    change.mutate(
      { body: { ...toRequest(values), version: opened.version } },
      {
        onSuccess: (stored) => {
          shared.startFrom(stored);
          notifications.show({ message: texts.forms.saved });
        },
      },
    );
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack gap="md">
        <SaveFailure saving={change} shared={shared} />
        <CaptchaPanel form={form} storedType={opened.captcha?.type} />
        {panels.map((panel) => (
          <Panel key={panel} title={panel}>
            <Stack gap="md" maw={560}>
              {fields.map(([name, field]) =>
                field.panel === panel ? <PlainField key={name} form={form} name={name} {...field} /> : null,
              )}
            </Stack>
          </Panel>
        ))}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            {texts.forms.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function toRequest(values: Values): ChangeSettingsRequest {
  return {
    captcha:
      values.captchaType === "off"
        ? null
        : {
            type: values.captchaType as CaptchaType,
            ...(values.secret === "" ? {} : { secret: values.secret }),
            minimumScore: values.minimumScore === "" ? null : Number(values.minimumScore),
            hostnames: values.hostnames,
          },
    ...Object.fromEntries(fields.map(([name]) => [name, typedValue(values[name])])),
  };
}

/** An empty text is none. */
function typedValue(value: Values[PlainSettingName]) {
  return typeof value === "string" ? value.trim() || null : value;
}

interface PlainFieldProps extends NonNullable<PlainSetting["form"]> {
  form: { getInputProps: (field: string, options?: { type: "checkbox" }) => GetInputPropsReturnType };
  name: PlainSettingName;
  kind: PlainSetting["kind"];
}

function PlainField({ form, name, kind, label, help, placeholder }: PlainFieldProps) {
  const texts = { label, description: help };
  if (kind === "switch") return <Switch {...texts} {...form.getInputProps(name, { type: "checkbox" })} />;
  if (kind === "list") return <TagsInput {...texts} acceptValueOnBlur {...form.getInputProps(name)} />;
  return <TextInput {...texts} placeholder={placeholder} maxLength={100} {...form.getInputProps(name)} />;
}

interface CaptchaForm {
  values: { captchaType: string };
  getInputProps: (field: string) => GetInputPropsReturnType;
}

/** `storedType` is the provider whose secret is stored. */
function CaptchaPanel({ form, storedType }: { form: CaptchaForm; storedType: CaptchaType | undefined }) {
  const { captchaType } = form.values;
  return (
    <Panel title={texts.captcha.title} description={texts.captcha.description}>
      <Stack gap="md" maw={560}>
        <Select
          label={texts.captcha.provider}
          allowDeselect={false}
          data={[
            { value: "off", label: texts.captcha.off },
            ...captchaTypes.map((type) => ({ value: type, label: captchaProviders[type].name })),
          ]}
          {...form.getInputProps("captchaType")}
        />
        {captchaType === "off" ? null : (
          <>
            <PasswordInput
              label={texts.captcha.secret}
              description={storedType === captchaType ? texts.captcha.secretStored : texts.captcha.secretHelp}
              autoComplete="off"
              {...form.getInputProps("secret")}
            />
            <NumberInput
              label={texts.captcha.minimumScore}
              description={texts.captcha.minimumScoreHelp}
              min={0}
              max={1}
              step={0.1}
              {...form.getInputProps("minimumScore")}
            />
            <TagsInput
              label={texts.captcha.hostnames}
              description={texts.captcha.hostnamesHelp}
              acceptValueOnBlur
              {...form.getInputProps("hostnames")}
            />
          </>
        )}
      </Stack>
    </Panel>
  );
}
