import { NumberInput, PasswordInput, Select, Stack, TagsInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { captchaTypes, type CaptchaType } from "@gatehouse-parking/contract";
import { Panel } from "../ui/panel.js";

export const captchaNames: Record<CaptchaType, string> = {
  recaptcha: "reCAPTCHA",
  hcaptcha: "hCaptcha",
  turnstile: "Turnstile",
};

interface CaptchaForm {
  values: { captchaType: string };
  getInputProps: (field: string) => GetInputPropsReturnType;
}

/** `storedType`: the provider whose secret is stored, if there is one. */
export function CaptchaPanel({
  form,
  storedType,
}: {
  form: CaptchaForm;
  storedType: CaptchaType | undefined;
}) {
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
            ...captchaTypes.map((type) => ({ value: type, label: captchaNames[type] })),
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
