import { readFile } from "node:fs/promises";
import { captchaTypes, quotaNames } from "@gatehouse-parking/contract";
import { Command, Option } from "commander";
import type { CommandContext } from "../../feature.js";
import {
  configureOrganization,
  showSettings,
  type OrganizationChanges,
} from "../../organizations/configure-organization.js";
import { InvalidInput } from "../../refusals/input-errors.js";
import { readOwnLimits, showOwnLimits } from "../../organizations/limit-overrides.js";
import { showNumbers } from "../../organizations/number-settings.js";
import { readQuotas } from "../../organizations/quotas.js";
import { secretKeySource } from "../../organizations/secret-key.js";
import { commandLineActor, describedCommand, printResult, card } from "../output.js";
import { readSecret } from "../options.js";
import { withDatabase } from "../with-database.js";

interface Options extends Record<string, unknown> {
  captcha?: string;
  captchaSecretStdin?: boolean;
  captchaSecretFile?: string;
  captchaMinimumScore?: string;
  captchaHostname?: string[];
  honeypotField?: string;
  leadOrigin?: string[];
  requireSecondFactor?: string;
  limit?: string[];
  quota?: string[];
  json?: boolean;
}

/** What a person writes to switch a setting off. */
const off = "off";

export async function configureCommand({ features }: CommandContext): Promise<Command> {
  const added = await Promise.all(features.flatMap(({ configureOptions }) => configureOptions?.() ?? []));
  const command = describedCommand(
    new Command("configure")
      .description(
        "change how an organization accepts leads, lets people in, how long it keeps what, and how much it may send and store; without options, show the current settings",
      )
      .argument("<uuid>", "the organization")
      .option("--captcha <type>", `which captcha guards lead submission: ${captchaTypes.join(", ")} or off`)
      .option("--captcha-secret-stdin", "read the provider's secret from standard input")
      .option("--captcha-secret-file <file>", "read the provider's secret from a file")
      .option("--captcha-minimum-score <score>", "the minimum score of a reCAPTCHA v3 token, 0 to 1, or off")
      .option("--captcha-hostname <name...>", "host names that a token may come from, or off for any")
      .option("--honeypot-field <name>", "a form field that only bots fill in, or off")
      .option("--lead-origin <origin...>", "web origins that may submit leads with any key, or off")
      .addOption(
        new Option(
          "--require-second-factor <state>",
          "whether people need a second factor to look at it in the console",
        ).choices(["on", off]),
      )
      .option(
        "--limit <operation=requests/seconds...>",
        "a rate limit of its own for an operation, or OPERATION=default to take it away; counts at once on every instance",
      )
      .option(
        "--quota <name=number...>",
        `how much it may store: ${quotaNames.join(", ")}; NAME=default to take a quota away`,
      ),
    [
      "organization configure UUID --captcha turnstile --captcha-secret-file turnstile.secret",
      "organization configure UUID --captcha off",
      "organization configure UUID --require-second-factor on",
      "organization configure UUID --limit importTransactions=1000/60 --limit submitLead=default",
      "organization configure UUID --quota records=1000000 --quota leadsPerDay=500",
      "organization configure UUID --honeypot-field website --lead-origin https://www.example.com",
      ...added.flatMap(({ examples }) => examples),
    ],
  );
  for (const option of added.flatMap(({ options }) => options)) command.addOption(option);
  return command.action(async (organizationId: string, options: Options) => {
    const changes = Object.assign(
      await readChanges(organizationId, options),
      ...added.map(({ readChanges: readAdded }) => readAdded(options)),
    ) as OrganizationChanges;
    const settings = await withDatabase(async ({ pool, config }) => {
      if (!isChange(options)) return showSettings(pool, organizationId);
      const [guard] = added;
      return guard
        ? guard.configure(pool, config, changes, options)
        : configureOrganization(pool, secretKeySource(config).findOrMake, changes);
    });
    const { version: _version, ...shown } = settings;
    printResult(options, shown, () =>
      card({
        ...shown,
        limits: showOwnLimits(shown.limits),
        quotas: showNumbers(shown.quotas),
        ...Object.assign({}, ...added.map(({ describe }) => describe(settings))),
      }),
    );
  });
}

function isChange({ json: _json, yes: _yes, ...changes }: Options): boolean {
  return Object.keys(changes).length > 0;
}

async function readChanges(organizationId: string, options: Options): Promise<OrganizationChanges> {
  return {
    organizationId,
    captchaType: nullIfOff(options.captcha),
    captchaSecret: await readCaptchaSecret(options),
    captchaMinimumScore: readScore(options.captchaMinimumScore),
    captchaHostnames: emptyIfOff(options.captchaHostname),
    honeypotField: nullIfOff(options.honeypotField),
    leadOrigins: emptyIfOff(options.leadOrigin),
    requiresSecondFactor: isOn(options.requireSecondFactor),
    limits: options.limit && readOwnLimits(options.limit),
    quotas: options.quota && readQuotas(options.quota),
    actor: commandLineActor,
  };
}

async function readCaptchaSecret(options: Options): Promise<string | undefined> {
  if (options.captchaSecretStdin && options.captchaSecretFile !== undefined)
    throw new InvalidInput("Give --captcha-secret-stdin or --captcha-secret-file, not both");
  if (options.captchaSecretStdin) return readSecret("Captcha secret");
  if (options.captchaSecretFile === undefined) return undefined;
  try {
    return (await readFile(options.captchaSecretFile, "utf8")).trim();
  } catch (error) {
    throw new InvalidInput(`The captcha secret cannot be read: ${(error as Error).message}`);
  }
}

function readScore(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === off) return null;
  // What is no number is refused together with those out of range.
  return text.trim() === "" ? Number.NaN : Number(text);
}

export function isOn(state: string | undefined): boolean | undefined {
  return state === undefined ? undefined : state !== off;
}

function nullIfOff(text: string | undefined): string | null | undefined {
  return text === off ? null : text;
}

function emptyIfOff(list: string[] | undefined): string[] | undefined {
  return list?.length === 1 && list[0] === off ? [] : list;
}
