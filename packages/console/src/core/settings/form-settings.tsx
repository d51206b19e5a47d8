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
import { captchaProviders, captchaTypes, type CaptchaType } from "@gatehouse-parking/contract";
import type { ChangeSettingsRequest, OrganizationSettings } from "@gatehouse-parking/contract/console";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useApi, useChange } from "../api/queries.js";
import { SaveFailure } from "../editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { useMayChange } from "../session/session.js";
import { Facts } from "../ui/facts.js";
import { Panel } from "../ui/page.js";
import { Failure, RowsLoading } from "../ui/states.js";

export default function FormSettings() {
  const settings = useApi("getOrganization");
  const mayChange = useMayChange();
  if (settings.isPending) return <RowsLoading rows={5} />;
  if (settings.error) return <Failure error={settings.error} retry={() => void settings.refetch()} />;
  return mayChange ? (
    <SettingsForm key={settings.data.uuid} source={sourceOf(settings)} />
  ) : (
    <Panel title="Captcha & forms">
      <Facts
        items={[
          ["Captcha", settings.data.captcha ? captchaProviders[settings.data.captcha.type].name : "off"],
          ["Honeypot field", settings.data.honeypotField],
          ["Allowed lead origins", settings.data.leadOrigins.join(", ")],
          ["Values of failed records", settings.data.keepsSentValues ? "kept for a while" : "not kept"],
          ["Currencies", settings.data.hasSeveralCurrencies ? "differ between locations" : "one for all"],
        ]}
      />
    </Panel>
  );
}

type Values = {
  captchaType: string;
  secret: string;
  minimumScore: number | string;
  hostnames: string[];
  honeypotField: string;
  leadOrigins: string[];
  keepsSentValues: boolean;
  hasSeveralCurrencies: boolean;
};

function toValues(settings: OrganizationSettings): Values {
  return {
    captchaType: settings.captcha?.type ?? "off",
    secret: "",
    minimumScore: settings.captcha?.minimumScore ?? "",
    hostnames: settings.captcha?.hostnames ?? [],
    honeypotField: settings.honeypotField ?? "",
    leadOrigins: settings.leadOrigins,
    keepsSentValues: settings.keepsSentValues,
    hasSeveralCurrencies: settings.hasSeveralCurrencies,
  };
}

function SettingsForm({ source }: { source: SharedSource<OrganizationSettings> }) {
  const change = useChange("changeSettings", { refresh: ["getOrganization"] });
  const shared = useSharedForm(source, toValues, {
    secret: (value, values) =>
      values.captchaType !== "off" && values.captchaType !== source.saved.captcha?.type && value === ""
        ? "Enter the secret from your account with the provider"
        : null,
  });
  const { form, opened } = shared;

  function save(values: Values) {
    change.mutate(
      { body: { ...toRequest(values), version: opened.version } },
      {
        onSuccess: (stored) => {
          shared.startFrom(stored);
          notifications.show({ message: "Your settings have been saved." });
        },
      },
    );
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      <Stack gap="md">
        <SaveFailure saving={change} shared={shared} />
        <CaptchaPanel form={form} storedType={opened.captcha?.type} />
        <Panel title="Forms">
          <Stack gap="md" maw={560}>
            <TextInput
              label="Honeypot field"
              description="A hidden field in your form that people never see. Leads that fill it in go to quarantine."
              placeholder="website"
              maxLength={100}
              {...form.getInputProps("honeypotField")}
            />
            <TagsInput
              label="Allowed lead origins"
              description="Web sites that may submit leads, such as https://www.example.com. A key can have its own list."
              acceptValueOnBlur
              {...form.getInputProps("leadOrigins")}
            />
          </Stack>
        </Panel>
        <Panel title="Imports">
          <Switch
            label="Keep what failed records were sent with"
            description="A run then shows, for a while, what stood in the fields that were wrong. Personal data may be among it."
            {...form.getInputProps("keepsSentValues", { type: "checkbox" })}
          />
        </Panel>
        <Panel title="Amounts">
          <Switch
            label="Our locations use different currencies"
            description="Amounts carry no currency. The overview then shows revenue for one location at a time, and never adds up those of several."
            {...form.getInputProps("hasSeveralCurrencies", { type: "checkbox" })}
          />
        </Panel>
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save settings
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
    honeypotField: values.honeypotField.trim() === "" ? null : values.honeypotField.trim(),
    leadOrigins: values.leadOrigins,
    keepsSentValues: values.keepsSentValues,
    hasSeveralCurrencies: values.hasSeveralCurrencies,
  };
}

interface CaptchaForm {
  values: { captchaType: string };
  getInputProps: (field: string) => GetInputPropsReturnType;
}

/** `storedType` is the provider whose secret is stored. */
function CaptchaPanel({ form, storedType }: { form: CaptchaForm; storedType: CaptchaType | undefined }) {
  const { captchaType } = form.values;
  return (
    <Panel
      title="Captcha"
      description="With a captcha, every lead must carry a token, which is checked with the provider."
    >
      <Stack gap="md" maw={560}>
        <Select
          label="Provider"
          allowDeselect={false}
          data={[
            { value: "off", label: "Off" },
            ...captchaTypes.map((type) => ({ value: type, label: captchaProviders[type].name })),
          ]}
          {...form.getInputProps("captchaType")}
        />
        {captchaType === "off" ? null : (
          <>
            <PasswordInput
              label="Secret"
              description={
                storedType === captchaType
                  ? "A secret is already stored. Leave this empty to keep it."
                  : "Stored encrypted and never shown again."
              }
              autoComplete="off"
              {...form.getInputProps("secret")}
            />
            <NumberInput
              label="Minimum score"
              description="From 0 to 1, for providers that rate the visitor. Leave empty to accept any score."
              min={0}
              max={1}
              step={0.1}
              {...form.getInputProps("minimumScore")}
            />
            <TagsInput
              label="Host names"
              description="The token must come from one of these. Leave empty to accept any."
              acceptValueOnBlur
              {...form.getInputProps("hostnames")}
            />
          </>
        )}
      </Stack>
    </Panel>
  );
}
