import {
  captchaTypes,
  Lead,
  type CaptchaType,
  type PendingRetention,
  type Quotas,
  type Retention,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction, type Connection } from "../database/transaction.js";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { requireVersion, versionOf, InvalidInput, requireText } from "../refusals/input-errors.js";
import { checkOrigins } from "./lead-origins.js";
import { requireOrganization } from "./organizations.js";
import { changedQuotas, type QuotaChanges } from "./quotas.js";
import {
  changedPending,
  changedRetention,
  type PendingChanges,
  type RetentionChanges,
} from "./retention-periods.js";
import { changedLimits, type OwnLimitChanges, type OwnLimits } from "./limit-overrides.js";
import { sealSecret } from "./encryption.js";
import type { SecretKeySource } from "./secret-key.js";

/**
 * How an organization takes in leads, whom it lets in, what is kept of its imports and for how long, and how much it may
 * send and store. The captcha secret goes in and never comes out.
 */
export interface OrganizationSettings {
  uuid: string;
  name: string;
  captchaType: CaptchaType | null;
  /** The least score a reCAPTCHA v3 token must have. */
  captchaMinimumScore: number | null;
  /** Pages on which a token may have been solved; empty: any. */
  captchaHostnames: string[];
  honeypotField: string | null;
  leadOrigins: string[];
  requiresSecondFactor: boolean;
  /** Whether runs keep for a while what failed records had in their wrong fields. */
  keepsSentValues: boolean;
  /** Its locations use different currencies, so that their amounts are never added up. */
  hasSeveralCurrencies: boolean;
  /** In place of the usual ones. */
  limits: OwnLimits;
  /** Days, in place of the usual ones. */
  retention: Retention;
  /** Shorter periods that are not in effect yet. */
  pendingRetention: PendingRetention;
  /** Whether the keys of records that were deleted stay known. */
  keepsDeletedKeys: boolean;
  /** Whether runs that end alike keep their exceptions once a day. */
  keepsReplaysOnce: boolean;
  quotas: Quotas;
  version: string;
}

/** What is undefined stays as it is; null and an empty list switch off. */
export interface OrganizationChanges {
  organizationId: string;
  captchaType?: string | null | undefined;
  captchaSecret?: string | undefined;
  captchaMinimumScore?: number | null | undefined;
  captchaHostnames?: readonly string[] | undefined;
  honeypotField?: string | null | undefined;
  leadOrigins?: readonly string[] | undefined;
  requiresSecondFactor?: boolean | undefined;
  keepsSentValues?: boolean | undefined;
  hasSeveralCurrencies?: boolean | undefined;
  /** By operation. Those that are not named stay as they are. */
  limits?: OwnLimitChanges | undefined;
  /** In effect at once. A period that is given here replaces a pending one. */
  retention?: RetentionChanges | undefined;
  pendingRetention?: PendingChanges | undefined;
  keepsDeletedKeys?: boolean | undefined;
  keepsReplaysOnce?: boolean | undefined;
  quotas?: QuotaChanges | undefined;
  /** Which version was edited. */
  version?: string | undefined;
  actor: Actor;
}

interface SettingsRow {
  id: string;
  name: string;
  captcha_type: CaptchaType | null;
  captcha_secret: Buffer | null;
  captcha_minimum_score: string | null;
  captcha_hostnames: string[];
  honeypot_field: string | null;
  lead_origins: string[];
  requires_second_factor: boolean;
  keeps_sent_values: boolean;
  has_several_currencies: boolean;
  own_limits: OwnLimits | null;
  retention: Retention | null;
  acknowledged_retention: Retention | null;
  pending_retention: PendingRetention | null;
  keeps_deleted_keys: boolean;
  acknowledged_keeps_deleted_keys: boolean;
  keeps_replays_once: boolean;
  quotas: Quotas | null;
}

const columns = `id, name, captcha_type, captcha_secret, captcha_minimum_score, captcha_hostnames, honeypot_field,
  lead_origins, requires_second_factor, keeps_sent_values, has_several_currencies, own_limits,
  retention, acknowledged_retention, pending_retention, keeps_deleted_keys, acknowledged_keeps_deleted_keys,
  keeps_replays_once, quotas`;
const maxSecretLength = 512;
const maxHostnames = 20;
const maxHostnameLength = 253;
const honeypotShape = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export async function showSettings(pool: pg.Pool, organizationId: string): Promise<OrganizationSettings> {
  await requireOrganization(pool, organizationId);
  const { rows } = await pool.query<SettingsRow>(`select ${columns} from organizations where id = $1`, [
    organizationId,
  ]);
  return toSettings(rows[0] as SettingsRow);
}

export async function configureOrganization(
  connection: Connection,
  secretKey: SecretKeySource["findOrMake"],
  changes: OrganizationChanges,
): Promise<OrganizationSettings> {
  return transaction(connection, async (client) => {
    await requireOrganization(client, changes.organizationId);
    const { rows } = await client.query<SettingsRow>(
      `select ${columns} from organizations where id = $1 for no key update`,
      [changes.organizationId],
    );
    const current = rows[0] as SettingsRow;
    const before = toSettings(current);
    requireVersion("The organization's settings", before.version, changes.version);
    const captcha = await changedCaptcha(current, changes, secretKey);
    const honeypotField = checkHoneypot(given(changes.honeypotField, current.honeypot_field));
    const leadOrigins = checkOrigins(given(changes.leadOrigins, current.lead_origins));
    const limits = changedLimits(current.own_limits, changes.limits ?? {});
    const retention = changedRetention(current.retention, changes.retention ?? {});
    const acknowledged = changedRetention(current.acknowledged_retention, changes.retention ?? {});
    const pending = changedPending(current.pending_retention, replacedPending(changes));
    const quotas = changedQuotas(current.quotas, changes.quotas ?? {});

    const updated = await client.query<SettingsRow>(
      `update organizations set captcha_type = $2, captcha_secret = $3, captcha_minimum_score = $4,
         captcha_hostnames = $5, honeypot_field = $6, lead_origins = $7, requires_second_factor = $8,
         keeps_sent_values = $9, has_several_currencies = $10, own_limits = $11, retention = $12,
         keeps_deleted_keys = $13, keeps_replays_once = $14, quotas = $15, pending_retention = $16,
         acknowledged_retention = $17, acknowledged_keeps_deleted_keys = $18
       where id = $1 returning ${columns}`,
      [
        current.id,
        captcha.type,
        captcha.secret,
        captcha.minimumScore,
        captcha.hostnames,
        honeypotField,
        leadOrigins,
        given(changes.requiresSecondFactor, current.requires_second_factor),
        given(changes.keepsSentValues, current.keeps_sent_values),
        given(changes.hasSeveralCurrencies, current.has_several_currencies),
        limits && JSON.stringify(limits),
        retention && JSON.stringify(retention),
        given(changes.keepsDeletedKeys, current.keeps_deleted_keys),
        given(changes.keepsReplaysOnce, current.keeps_replays_once),
        quotas && JSON.stringify(quotas),
        pending && JSON.stringify(pending),
        acknowledged && JSON.stringify(acknowledged),
        given(changes.keepsDeletedKeys, current.acknowledged_keeps_deleted_keys),
      ],
    );
    const settings = toSettings(updated.rows[0] as SettingsRow);
    await writeAudit(client, {
      organizationId: settings.uuid,
      actor: changes.actor,
      action: "organization.configure",
      subjectId: settings.uuid,
      detail: {
        ...changesBetween({ ...before, version: "" }, { ...settings, version: "" }),
        ...(changes.captchaSecret === undefined ? {} : { captchaSecretChanged: true }),
      },
    });
    return settings;
  });
}

function replacedPending(changes: OrganizationChanges): PendingChanges {
  const replaced: PendingChanges = Object.fromEntries(
    Object.keys(changes.retention ?? {}).map((what) => [what, null]),
  );
  if (changes.keepsDeletedKeys !== undefined) replaced.deletedKeys = null;
  return { ...replaced, ...changes.pendingRetention };
}

interface CaptchaColumns {
  type: CaptchaType | null;
  secret: Buffer | null;
  minimumScore: number | null;
  hostnames: string[];
}

async function changedCaptcha(
  current: SettingsRow,
  changes: OrganizationChanges,
  secretKey: SecretKeySource["findOrMake"],
): Promise<CaptchaColumns> {
  const type = checkType(given(changes.captchaType, current.captcha_type));
  const extras = [changes.captchaSecret, changes.captchaMinimumScore, changes.captchaHostnames?.[0]];
  if (type === null) {
    if (extras.some((extra) => extra !== undefined && extra !== null))
      throw new InvalidInput(
        "The captcha is off; choose its type together with its secret, score and hostnames",
      );
    return { type, secret: null, minimumScore: null, hostnames: [] };
  }
  const sameType = type === current.captcha_type;
  const secret =
    changes.captchaSecret !== undefined
      ? sealSecret(await secretKey(), current.id, checkSecret(changes.captchaSecret))
      : sameType
        ? current.captcha_secret
        : null;
  if (!secret) throw new InvalidInput(`The captcha ${type} needs its secret`);

  const storedScore =
    sameType && current.captcha_minimum_score !== null ? Number(current.captcha_minimum_score) : null;
  const minimumScore = given(changes.captchaMinimumScore, storedScore);
  if (minimumScore !== null && type !== "recaptcha")
    throw new InvalidInput("Only recaptcha (v3) has a minimum score");
  if (minimumScore !== null && !(minimumScore >= 0 && minimumScore <= 1))
    throw new InvalidInput("The minimum score must be a number from 0 to 1");
  const hostnames = checkHostnames(given(changes.captchaHostnames, current.captcha_hostnames));
  return { type, secret, minimumScore, hostnames };
}

function given<T>(change: T | undefined, current: T): T {
  return change === undefined ? current : change;
}

function checkType(type: string | null): CaptchaType | null {
  if (type === null) return null;
  const known = captchaTypes.find((captchaType) => captchaType === type);
  if (!known) throw new InvalidInput(`"${type}" is not a captcha; there are ${captchaTypes.join(", ")}`);
  return known;
}

/** A secret usually comes from a file, with a line end behind it. */
function checkSecret(secret: string): string {
  return requireText("The captcha secret", secret.trim(), maxSecretLength);
}

function checkHostnames(hostnames: readonly string[]): string[] {
  if (hostnames.length > maxHostnames)
    throw new InvalidInput(`There can be at most ${maxHostnames} captcha hostnames`);
  return hostnames.map((hostname) => {
    const address = `https://${hostname}`;
    const url = hostname.length <= maxHostnameLength && URL.canParse(address) ? new URL(address) : undefined;
    if (!url || url.host === "" || `https://${url.host}/` !== url.href || url.port !== "")
      throw new InvalidInput(`"${hostname}" is not a hostname such as www.example.com`);
    return url.hostname;
  });
}

/** A honeypot is a field that people cannot see. A field of the interface would catch every honest lead. */
function checkHoneypot(field: string | null): string | null {
  if (field === null) return null;
  if (!honeypotShape.test(field))
    throw new InvalidInput(
      "The honeypot field must begin with a letter and have up to 64 letters, digits, - or _",
    );
  if (Object.hasOwn(Lead.properties, field))
    throw new InvalidInput(`${field} is a field of the lead itself and cannot be the honeypot`);
  return field;
}

function toSettings(row: SettingsRow): OrganizationSettings {
  const settings = {
    uuid: row.id,
    name: row.name,
    captchaType: row.captcha_type,
    captchaMinimumScore: row.captcha_minimum_score === null ? null : Number(row.captcha_minimum_score),
    captchaHostnames: row.captcha_hostnames,
    honeypotField: row.honeypot_field,
    leadOrigins: row.lead_origins,
    requiresSecondFactor: row.requires_second_factor,
    keepsSentValues: row.keeps_sent_values,
    hasSeveralCurrencies: row.has_several_currencies,
    limits: changedLimits(row.own_limits, {}) ?? {},
    retention: changedRetention(row.retention, {}) ?? {},
    pendingRetention: changedPending(row.pending_retention, {}) ?? {},
    keepsDeletedKeys: row.keeps_deleted_keys,
    keepsReplaysOnce: row.keeps_replays_once,
    quotas: changedQuotas(row.quotas, {}) ?? {},
  };
  // The secret is not shown, but to replace it is a change as well.
  return { ...settings, version: versionOf({ ...settings, secret: row.captcha_secret?.toString("base64") }) };
}
