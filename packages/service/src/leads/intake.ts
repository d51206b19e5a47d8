import type { CaptchaType } from "@gatehouse/contract";
import type pg from "pg";

/** What has to be known before a lead can be judged, read in one round trip. */
export interface Intake {
  isLocationKnown: boolean;
  captchaType: CaptchaType | null;
  captchaSecret: Buffer | null;
  captchaMinimumScore: number | null;
  captchaHostnames: string[];
  honeypotField: string | null;
  /** The lead that was stored under this Idempotency-Key. */
  earlier: { uuid: string; createdAt: Date; bodyHash: Buffer } | undefined;
}

interface IntakeRow {
  is_location_known: boolean;
  captcha_type: CaptchaType | null;
  captcha_secret: Buffer | null;
  captcha_minimum_score: string | null;
  captcha_hostnames: string[];
  honeypot_field: string | null;
  earlier_id: string | null;
  earlier_created_at: Date | null;
  earlier_body_hash: Buffer | null;
}

const statement = `
  select
    exists (select from locations where organization_id = $1 and id = $2) as is_location_known,
    organization.captcha_type, organization.captcha_secret, organization.captcha_minimum_score,
    organization.captcha_hostnames, organization.honeypot_field,
    earlier.id as earlier_id, earlier.created_at as earlier_created_at, earlier.body_hash as earlier_body_hash
  from organizations as organization
  left join leads as earlier on earlier.organization_id = $1 and earlier.idempotency_key = $3
  where organization.id = $1`;

export async function readIntake(
  pool: pg.Pool,
  input: { organizationId: string; locationUuid: string; idempotencyKey: string | undefined },
): Promise<Intake> {
  const { rows } = await pool.query<IntakeRow>({
    name: "read-intake",
    text: statement,
    values: [input.organizationId, input.locationUuid, input.idempotencyKey ?? null],
  });
  const row = rows[0] as IntakeRow;
  return {
    isLocationKnown: row.is_location_known,
    captchaType: row.captcha_type,
    captchaSecret: row.captcha_secret,
    captchaMinimumScore: row.captcha_minimum_score === null ? null : Number(row.captcha_minimum_score),
    captchaHostnames: row.captcha_hostnames,
    honeypotField: row.honeypot_field,
    earlier:
      row.earlier_id === null
        ? undefined
        : {
            uuid: row.earlier_id,
            createdAt: row.earlier_created_at as Date,
            bodyHash: row.earlier_body_hash as Buffer,
          },
  };
}
