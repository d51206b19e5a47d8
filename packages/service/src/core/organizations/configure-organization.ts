import type { PlainSettings, Quotas } from "@gatehouse-parking/contract";
import type pg from "pg";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { versionOf, requireVersion } from "../refusals/user-error.js";
import type { CaptchaChanges, CaptchaSettings } from "./captcha-setting.js";
import type { LimitOverrideChanges, LimitOverrides } from "./limit-overrides.js";
import { requireOrganization } from "./organizations.js";
import type { QuotaChanges } from "./quotas.js";
import type { Sealing, Values } from "./setting.js";
import { organizationSettings } from "./settings.js";

/** The settings of the core, extended by those of features. */
export interface OrganizationSettings extends CaptchaSettings, PlainSettings {
  uuid: string;
  name: string;
  /** Overrides of the defaults. */
  limits: LimitOverrides;
  quotas: Quotas;
  version: string;
}

type PlainChanges = { [Name in keyof PlainSettings]?: PlainSettings[Name] | undefined };

/** Undefined fields are unchanged. Null and an empty list switch a setting off. */
export interface OrganizationChanges extends CaptchaChanges, PlainChanges {
  organizationId: string;
  name?: string | undefined;
  /** By operation. Operations that are not named are unchanged. */
  limits?: LimitOverrideChanges | undefined;
  quotas?: QuotaChanges | undefined;
  /** The version that was edited. */
  version?: string | undefined;
  actor: Actor;
}

/** `Added`: the settings of a feature. */
export async function showSettings<Added = unknown>(
  client: pg.Pool | pg.ClientBase,
  organizationId: string,
): Promise<OrganizationSettings & Added> {
  await requireOrganization(client, organizationId);
  return toSettings(await readColumns(client, organizationId));
}

export async function configureOrganization<Added = unknown>(
  connection: Connection,
  secretKey: Sealing,
  { organizationId, version, actor, ...changes }: OrganizationChanges,
): Promise<OrganizationSettings & Added> {
  return transaction(connection, async (client) => {
    await requireOrganization(client, organizationId);
    const stored = await readColumns(client, organizationId, "for no key update");
    const before = toSettings(stored);
    requireVersion("The organization's settings", before.version, version);
    const changed: Record<string, unknown> = {};
    for (const { change } of organizationSettings)
      Object.assign(changed, await change(stored, { ...changes }, secretKey));
    const after = toSettings<Added>(await updateColumns(client, stored, changed));
    await writeAudit(client, {
      organizationId: after.uuid,
      actor,
      action: "organization.configure",
      subjectId: after.uuid,
      detail: {
        ...changesBetween({ ...before, version: "" }, { ...after, version: "" }),
        ...Object.assign({}, ...organizationSettings.map(({ audit }) => audit?.({ ...changes }))),
      },
    });
    return after;
  });
}

const columnList = () => ["id", ...organizationSettings.flatMap(({ columns }) => columns)].join(", ");

async function readColumns(
  client: pg.Pool | pg.ClientBase,
  organizationId: string,
  lock = "",
): Promise<Values> {
  const { rows } = await client.query<Values>(
    `select ${columnList()} from organizations where id = $1 ${lock}`,
    [organizationId],
  );
  return rows[0] as Values;
}

async function updateColumns(client: pg.ClientBase, stored: Values, changed: Values): Promise<Values> {
  const assignments = Object.keys(changed).map((column, index) => `${column} = $${index + 2}`);
  if (assignments.length === 0) return stored;
  const { rows } = await client.query<Values>(
    `update organizations set ${assignments.join(", ")} where id = $1 returning ${columnList()}`,
    [stored["id"], ...Object.values(changed)],
  );
  return rows[0] as Values;
}

function toSettings<Added>(stored: Values): OrganizationSettings & Added {
  const shown = Object.assign(
    { uuid: stored["id"] },
    ...organizationSettings.map(({ show }) => show(stored)),
  ) as OrganizationSettings & Added;
  const hidden = organizationSettings.map((row) => row.hidden?.(stored));
  return { ...shown, version: versionOf(Object.assign({}, shown, ...hidden)) };
}
