import { readFile } from "node:fs/promises";
import { captchaTypes } from "@gatehouse/contract";
import { Command } from "commander";
import { configureOrganization } from "../../organizations/configure-organization.js";
import { InvalidInput } from "../../organizations/invalid-input.js";
import { loadSecretKey } from "../../organizations/secret-key.js";
import { commandLineActor, describedCommand, printResult } from "../output.js";
import { collect } from "../repeatable.js";
import { readSecret } from "../standard-input.js";
import { card } from "../table.js";
import { withDatabase } from "../with-database.js";

interface ConfigureOptions {
  captcha?: string;
  captchaSecretFile?: string;
  captchaMinimumScore?: string;
  captchaHostname?: string[];
  honeypotField?: string;
  leadOrigin?: string[];
  json?: boolean;
}

/** The word that switches a setting off or empties a list. */
const off = "off";

export function configureOrganizationCommand(): Command {
  return describedCommand(
    new Command("configure")
      .description("change how an organization takes in leads; what is not named stays as it is")
      .argument("<uuid>", "the organization")
      .option("--captcha <type>", `${captchaTypes.join(", ")}; or off`)
      .option("--captcha-secret-file <file>", "file with the provider's secret; - for standard input")
      .option("--captcha-minimum-score <score>", "least score of a reCAPTCHA v3 token, 0 to 1; or off")
      .option("--captcha-hostname <hostname...>", "pages a token may come from; or off for any", collect)
      .option("--honeypot-field <name>", "field that people cannot see and bots fill; or off")
      .option("--lead-origin <origin...>", "web origins that may submit leads with any key; or off", collect),
    [
      "organization configure UUID --captcha turnstile --captcha-secret-file secret.txt",
      "organization configure UUID --honeypot-field website --lead-origin https://www.example.com",
      "organization configure UUID --captcha off",
    ],
  ).action(async (uuid: string, options: ConfigureOptions) => {
    const captchaSecret = await readCaptchaSecret(options.captchaSecretFile);
    const settings = await withDatabase(async ({ pool, config }) =>
      configureOrganization(pool, await loadSecretKey(config), {
        organizationId: uuid,
        captchaType: textOrOff(options.captcha),
        captchaSecret,
        captchaMinimumScore: scoreOrOff(options.captchaMinimumScore),
        captchaHostnames: listOrOff(options.captchaHostname),
        honeypotField: textOrOff(options.honeypotField),
        leadOrigins: listOrOff(options.leadOrigin),
        actor: commandLineActor,
      }),
    );
    printResult(options, settings, () => card({ ...settings }));
  });
}

async function readCaptchaSecret(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  if (file === "-") return readSecret("Captcha secret");
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new InvalidInput(`The captcha secret cannot be read: ${(error as Error).message}`);
  }
}

function textOrOff(text: string | undefined): string | null | undefined {
  return text === off ? null : text;
}

function scoreOrOff(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === off) return null;
  // Number("") would be 0; what is no number is refused where the settings are checked.
  return text.trim() === "" ? Number.NaN : Number(text);
}

function listOrOff(values: string[] | undefined): string[] | undefined {
  return values?.length === 1 && values[0] === off ? [] : values;
}
