import type { CaptchaType, Quotas } from "@gatehouse-parking/contract";

/** How an organization takes in leads. It is read together with the key, so that a lead costs no look of its own. */
export interface LeadSettings {
  captchaType: CaptchaType | null;
  /** Sealed; see organizations/secret-box.ts. */
  captchaSecret: Buffer | null;
  captchaMinimumScore: number | null;
  captchaHostnames: string[];
  honeypotField: string | null;
  /** How many leads it takes in 24 hours; undefined: as many as come. */
  leadsPerDay: number | undefined;
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
  quotas: Quotas | null;
}

export function toLeadSettings(organizationRow: Record<string, unknown>): LeadSettings {
  const row = organizationRow as unknown as LeadSettingsRow;
  return {
    captchaType: row.captcha_type,
    captchaSecret: row.captcha_secret,
    captchaMinimumScore: row.captcha_minimum_score === null ? null : Number(row.captcha_minimum_score),
    captchaHostnames: row.captcha_hostnames,
    honeypotField: row.honeypot_field,
    leadsPerDay: row.quotas?.leadsPerDay,
  };
}
