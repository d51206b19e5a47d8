import { defaultSettings } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { configureOrganization, showSettings } from "./configure-organization.js";
import { openSecret } from "./secrets.js";

const gatehouse = useApp();
const secretKey = Buffer.alloc(32, 7);
const configure = (organizationId: string, changes: object) =>
  configureOrganization(gatehouse.database.work, async () => secretKey, {
    organizationId,
    actor: "test",
    ...changes,
  });

test("settings are stored, unnamed ones are unchanged, and the captcha secret is never returned", async () => {
  const { organizationId } = await gatehouse.tenant();
  await configure(organizationId, {
    captchaType: "recaptcha",
    captchaSecret: "very-secret\n",
    captchaMinimumScore: 0.7,
    captchaHostnames: ["WWW.Example.com", "bücher.example"],
  });
  await configure(organizationId, { honeypotField: "website", leadOrigins: ["https://www.example.com"] });
  const settings = await configure(organizationId, { captchaMinimumScore: 0.5 });
  expect(settings).toEqual({
    uuid: organizationId,
    name: "Test organization",
    version: expect.any(String),
    captchaType: "recaptcha",
    captchaMinimumScore: 0.5,
    captchaHostnames: ["www.example.com", "xn--bcher-kva.example"],
    honeypotField: "website",
    leadOrigins: ["https://www.example.com"],
    requiresSecondFactor: false,
    keepsSentValues: true,
    hasSeveralCurrencies: false,
    limits: {},
    pendingRetention: {},
    retention: {},
    keepsDeletedKeys: false,
    keepsReplaysOnce: false,
    quotas: {},
  });
  expect(await showSettings(gatehouse.database.work, organizationId)).toEqual(settings);

  const { rows } = await gatehouse.database.work.query(
    "select captcha_secret from organizations where id = $1",
    [organizationId],
  );
  expect(rows[0].captcha_secret.includes("very-secret")).toBe(false);
  expect(openSecret(secretKey, organizationId, rows[0].captcha_secret)).toBe("very-secret");
});

test("a new organization has the default of every setting", async () => {
  const { organizationId } = await gatehouse.tenant();
  expect(await showSettings(gatehouse.database.work, organizationId)).toMatchObject(defaultSettings);
});

test("every change is in the audit log, without the secret", async () => {
  const { organizationId } = await gatehouse.tenant();
  await configure(organizationId, { captchaType: "turnstile", captchaSecret: "hush-hush" });
  const { rows } = await gatehouse.database.work.query(
    "select actor, action, detail from audit_log where organization_id = $1 and action = 'organization.configure'",
    [organizationId],
  );
  expect(rows).toHaveLength(1);
  expect(JSON.parse(rows[0].detail)).toEqual({
    captchaType: { from: null, to: "turnstile" },
    captchaSecretChanged: true,
  });
  expect(rows[0].detail).not.toContain("hush-hush");
});

test("switching the captcha off deletes the secret, and another type needs a new one", async () => {
  const { organizationId } = await gatehouse.tenant();
  await configure(organizationId, { captchaType: "hcaptcha", captchaSecret: "one" });
  await expect(configure(organizationId, { captchaType: "turnstile" })).rejects.toThrow("needs its secret");
  expect(await configure(organizationId, { captchaType: null })).toMatchObject({ captchaType: null });
  const { rows } = await gatehouse.database.work.query(
    "select captcha_secret from organizations where id = $1",
    [organizationId],
  );
  expect(rows[0].captcha_secret).toBeNull();
});

test.each([
  [{ captchaType: "friendly", captchaSecret: "s" }, "is not a captcha"],
  [{ captchaSecret: "s" }, "The captcha is off"],
  [{ captchaType: "hcaptcha", captchaSecret: "s", captchaMinimumScore: 0.5 }, "Only recaptcha"],
  [{ captchaType: "recaptcha", captchaSecret: "s", captchaMinimumScore: 1.1 }, "from 0 to 1"],
  [{ captchaType: "recaptcha", captchaSecret: "s", captchaMinimumScore: Number.NaN }, "from 0 to 1"],
  [{ captchaType: "recaptcha", captchaSecret: " " }, "must not be empty"],
  [{ captchaType: "recaptcha", captchaSecret: "s", captchaHostnames: ["a b"] }, "is not a hostname"],
  [{ captchaType: "recaptcha", captchaSecret: "s", captchaHostnames: ["host/path"] }, "is not a hostname"],
  [{ captchaType: "recaptcha", captchaSecret: "s", captchaHostnames: ["host:81"] }, "is not a hostname"],
  [{ honeypotField: "email" }, "field of the lead itself"],
  [{ honeypotField: "__proto__" }, "must begin with a letter"],
  [{ leadOrigins: ["https://www.example.com/path"] }, "is not an origin"],
])("%j is rejected with an explanation", async (changes, message) => {
  const { organizationId } = await gatehouse.tenant();
  await expect(configure(organizationId, changes)).rejects.toThrow(message);
});
