import {
  optionalPermissions,
  parseTimestamp,
  permissions,
  showLimitOverride,
} from "@gatehouse-parking/contract";
import { Command } from "commander";
import { nowMs } from "../../clock.js";
import {
  changeApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type NewApiKey,
} from "../../organizations/api-keys.js";
import type { ApiKey } from "../../organizations/api-key-row.js";
import { readLimitOverride } from "../../organizations/limit-overrides.js";
import { invalidInput } from "../../refusals/user-error.js";
import { parseDuration, collect } from "../options.js";
import { commandLineActor, describedCommand, printResult, card, table } from "../output.js";
import { withDatabase } from "../with-database.js";

const defaultOverlap = "24h";

export function apiKeyCommand(): Command {
  const command = new Command("api-key").description("create, list, configure, revoke and rotate API keys");
  for (const subcommand of [
    createCommand(),
    listCommand(),
    configureCommand(),
    revokeCommand(),
    rotateCommand(),
  ])
    command.addCommand(subcommand);
  return command;
}

function createCommand(): Command {
  return describedCommand(
    new Command("create")
      .description("create a key; its value is shown only once")
      .requiredOption("--organization <uuid>", "the organization it belongs to")
      .requiredOption("--name <name>", "what it is for")
      .option(
        "--permission <permission...>",
        `what it may do (${permissions.join(", ")}); default: everything but ${optionalPermissions.join(", ")}`,
        collect,
      )
      .option("--lead-origin <origin...>", "web origins that may submit leads with it", collect)
      .option("--expires-at <time>", "when it expires, in ISO 8601, such as 2027-01-01T00:00:00Z"),
    [
      'api-key create --organization UUID --name "Acme back end"',
      'api-key create --organization UUID --name "Web site" --permission leads:write --lead-origin https://www.example.com',
    ],
  ).action(
    async (options: {
      organization: string;
      name: string;
      permission?: string[];
      leadOrigin?: string[];
      expiresAt?: string;
      json?: boolean;
    }) => {
      const expiresAt = options.expiresAt === undefined ? undefined : readTime(options.expiresAt);
      const key = await withDatabase(({ pool }) =>
        createApiKey(pool, {
          organizationId: options.organization,
          name: options.name,
          permissions: options.permission,
          leadOrigins: options.leadOrigin,
          expiresAt,
          actor: commandLineActor,
        }),
      );
      printNewKey(options, key);
    },
  );
}

function listCommand(): Command {
  return describedCommand(
    new Command("list")
      .description("list an organization's keys, newest first")
      .requiredOption("--organization <uuid>", "the organization"),
    ["api-key list --organization UUID"],
  ).action(async (options: { organization: string; json?: boolean }) => {
    const keys = await withDatabase(({ pool }) => listApiKeys(pool, options.organization));
    printResult(options, keys, () =>
      table(
        ["UUID", "Name", "Prefix", "State", "Permissions", "Last used"],
        keys.map((key) => [key.uuid, key.name, key.prefix, keyState(key), key.permissions, key.lastUsedAt]),
        "There are no keys yet. Create one: gatehouse api-key create --organization UUID --name NAME",
      ),
    );
  });
}

function configureCommand(): Command {
  return describedCommand(
    new Command("configure")
      .description("set an API key's rate limit for leads; keys that replace it inherit the limit")
      .argument("<uuid>", "the key")
      .option("--organization <uuid>", "only if it belongs to this organization")
      .requiredOption(
        "--lead-limit <requests/seconds>",
        "requests per client address, instead of the organization's limit; default: use the organization's limit",
      ),
    ["api-key configure UUID --lead-limit 100/60", "api-key configure UUID --lead-limit default"],
  ).action(async (uuid: string, options: { organization?: string; leadLimit: string; json?: boolean }) => {
    const leadLimit = readLimitOverride(options.leadLimit);
    const key = await withDatabase(({ pool }) =>
      changeApiKey(pool, {
        keyId: uuid,
        organizationId: options.organization,
        leadLimit,
        actor: commandLineActor,
      }),
    );
    const shown = key.leadLimit ? showLimitOverride(key.leadLimit) : "the organization's";
    printResult(options, key, () => `The key ${key.name} (${key.prefix}...) has the lead limit: ${shown}.`);
  });
}

function revokeCommand(): Command {
  return describedCommand(
    new Command("revoke")
      .description("revoke a key; it stops working immediately on every instance")
      .argument("<uuid>", "the key")
      .option("--organization <uuid>", "only if it belongs to this organization"),
    ["api-key revoke UUID"],
  ).action(async (uuid: string, options: { organization?: string; json?: boolean }) => {
    const key = await withDatabase(({ pool }) =>
      revokeApiKey(pool, { keyId: uuid, organizationId: options.organization, actor: commandLineActor }),
    );
    printResult(options, key, () => `The key ${key.name} (${key.prefix}...) has been revoked.`);
  });
}

function rotateCommand(): Command {
  return describedCommand(
    new Command("rotate")
      .description("create a key with the same permissions; the old key keeps working during the overlap")
      .argument("<uuid>", "the key to replace")
      .option("--organization <uuid>", "only if it belongs to this organization")
      .option(
        "--overlap <duration>",
        "how long the old key keeps working: 30m, 24h, 7d, or 0s",
        defaultOverlap,
      ),
    ["api-key rotate UUID", "api-key rotate UUID --overlap 7d"],
  ).action(async (uuid: string, options: { organization?: string; overlap: string; json?: boolean }) => {
    const overlapMs = parseDuration(options.overlap);
    const key = await withDatabase(({ pool }) =>
      rotateApiKey(pool, {
        keyId: uuid,
        organizationId: options.organization,
        overlapMs,
        actor: commandLineActor,
      }),
    );
    printNewKey(options, key);
  });
}

function printNewKey(options: { json?: boolean }, created: NewApiKey): void {
  const { uuid, name, key, prefix, permissions, expiresAt, createdAt } = created;
  const shown = { uuid, name, key, prefix, permissions, expiresAt, createdAt };
  printResult(options, shown, () => `${card(shown)}\n\nStore the key now: it cannot be shown again.`);
}

function keyState(key: ApiKey): string {
  if (key.revokedAt) return "revoked";
  if (!key.expiresAt) return "active";
  if (key.replacedBy && Date.parse(key.expiresAt) > nowMs())
    return `rotated to ${key.replacedBy.prefix}, until ${key.expiresAt}`;
  return Date.parse(key.expiresAt) <= nowMs() ? "expired" : `until ${key.expiresAt}`;
}

function readTime(text: string): Date {
  const moment = parseTimestamp(text, true);
  if (moment === undefined)
    throw invalidInput(`"${text}" is not a time in ISO 8601 such as 2027-01-01T00:00:00Z`);
  return new Date(moment);
}
