import type { CaptchaType } from "@gatehouse-parking/contract";
import type { LeadQuotas } from "./lead-quota.js";

/** How an organization takes in leads. It is read together with the key, so that a lead costs no look of its own. */
export interface LeadSettings {
  captchaType: CaptchaType | null;
  /** Sealed; see organizations/secret-box.ts. */
  captchaSecret: Buffer | null;
  captchaMinimumScore: number | null;
  captchaHostnames: string[];
  honeypotField: string | null;
  /** Without any, it takes as many leads as come. */
  quotas: LeadQuotas;
}

/** The columns of `organizations` that the gate reads together with the key. */
export const leadSettingsColumns = [
  "captcha_type",
  "captcha_secret",
  "captcha_minimum_score",
  "captcha_hostnames",
  "honeypot_field",
] as const;

interface LeadSettingsRow {
  captcha_type: CaptchaType | null;
  captcha_secret: Buffer | null;
  captcha_minimum_score: string | null;
  captcha_hostnames: string[];
  honeypot_field: string | null;
  /** The gate reads them for everybody. */
  quotas: LeadQuotas | null;
}

export function toLeadSettings(organizationRow: Record<string, unknown>): LeadSettings {
  const row = organizationRow as unknown as LeadSettingsRow;
  return {
    captchaType: row.captcha_type,
    captchaSecret: row.captcha_secret,
    captchaMinimumScore: row.captcha_minimum_score === null ? null : Number(row.captcha_minimum_score),
    captchaHostnames: row.captcha_hostnames,
    honeypotField: row.honeypot_field,
    quotas: row.quotas ?? {},
  };
}
