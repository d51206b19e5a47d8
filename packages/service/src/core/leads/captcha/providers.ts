import type { CaptchaType } from "@gatehouse-parking/contract";
import type { Config } from "../../config.js";

/**
 * The three captcha services speak one protocol: a form post of `secret`, `response` and `remoteip`, answered by JSON
 * with `success`, `hostname` and `error-codes`. What differs is data.
 */
export interface CaptchaProvider {
  /** The verification address among the settings. */
  address: keyof Pick<Config, "recaptchaUrl" | "hcaptchaUrl" | "turnstileUrl">;
  /** Whether `score` in the answer is the likelihood of a person. (hCaptcha's score means the opposite.) */
  isScored: boolean;
}

export const captchaProviders: Record<CaptchaType, CaptchaProvider> = {
  recaptcha: { address: "recaptchaUrl", isScored: true },
  hcaptcha: { address: "hcaptchaUrl", isScored: false },
  turnstile: { address: "turnstileUrl", isScored: false },
};

/**
 * The error codes of all three that say nothing about the visitor's token: our secret or request is wrong, or the
 * provider is. The visitor could try for ever; the operator has to know.
 */
export const configurationErrorCodes: ReadonlySet<string> = new Set([
  "missing-input-secret",
  "invalid-input-secret",
  "sitekey-secret-mismatch",
  "not-using-dummy-secret",
  "not-using-dummy-passcode",
  "missing-remoteip",
  "invalid-remoteip",
  "bad-request",
  "internal-error",
]);
