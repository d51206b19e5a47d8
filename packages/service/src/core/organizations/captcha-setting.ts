import { captchaTypes, type CaptchaType } from "@gatehouse-parking/contract";
import { readFile } from "node:fs/promises";
import { InvalidInput, requireText } from "../refusals/input-errors.js";
import { sealSecret } from "./encryption.js";
import {
  emptyIfOff,
  isOff,
  nullIfOff,
  type OrganizationSetting,
  type Sealing,
  type Values,
} from "./setting.js";

/** The secret goes in and never comes out. */
export interface CaptchaSettings {
  captchaType: CaptchaType | null;
  /** The least score a reCAPTCHA v3 token must have. */
  captchaMinimumScore: number | null;
  /** Pages on which a token may have been solved; empty: any. */
  captchaHostnames: string[];
}

export interface CaptchaChanges {
  captchaType?: string | null | undefined;
  captchaSecret?: string | undefined;
  captchaMinimumScore?: number | null | undefined;
  captchaHostnames?: readonly string[] | undefined;
}

export interface LoadedCaptcha extends CaptchaSettings {
  /** Sealed; see encryption.ts. */
  captchaSecret: Buffer | null;
}

const maxSecretLength = 512;
const maxHostnames = 20;
const maxHostnameLength = 253;

/** The captcha's values depend on each other: another type needs another secret, and only one has a score. */
export const captcha: OrganizationSetting = {
  names: ["captchaType", "captchaMinimumScore", "captchaHostnames"],
  columns: ["captcha_type", "captcha_secret", "captcha_minimum_score", "captcha_hostnames"],
  show,
  change,
  // The secret is not shown, but to replace it is a change as well.
  hidden: (stored) => ({ secret: secretOf(stored)?.toString("base64") }),
  audit: ({ captchaSecret }) => (captchaSecret === undefined ? {} : { captchaSecretChanged: true }),
  readBy: ["leads"],
  load: (stored) => ({ ...show(stored), captchaSecret: secretOf(stored) }),
  commandLine: {
    options: [
      {
        flags: "--captcha <type>",
        description: `which captcha guards lead submission: ${captchaTypes.join(", ")} or off`,
      },
      {
        flags: "--captcha-secret-stdin",
        description: "read the provider's secret from standard input",
      },
      { flags: "--captcha-secret-file <file>", description: "read the provider's secret from a file" },
      {
        flags: "--captcha-minimum-score <score>",
        description: "the minimum score of a reCAPTCHA v3 token, 0 to 1, or off",
      },
      {
        flags: "--captcha-hostname <name...>",
        description: "host names that a token may come from, or off for any",
      },
    ],
    examples: ["--captcha turnstile --captcha-secret-file turnstile.secret", "--captcha off"],
    read: readOptions,
  },
};

function secretOf(stored: Values): Buffer | null {
  return stored["captcha_secret"] as Buffer | null;
}

function show(stored: Values): Values & CaptchaSettings {
  const score = stored["captcha_minimum_score"];
  return {
    captchaType: stored["captcha_type"] as CaptchaType | null,
    captchaMinimumScore: score === null ? null : Number(score),
    captchaHostnames: stored["captcha_hostnames"] as string[],
  };
}

async function change(stored: Values, changes: CaptchaChanges, secretKey: Sealing): Promise<Values> {
  const current = show(stored);
  const type = checkType(given(changes.captchaType, current.captchaType));
  const extras = [changes.captchaSecret, changes.captchaMinimumScore, changes.captchaHostnames?.[0]];
  if (type === null) {
    if (extras.some((extra) => extra !== undefined && extra !== null))
      throw new InvalidInput(
        "The captcha is off; choose its type together with its secret, score and hostnames",
      );
    return toColumns(type, null, null, []);
  }
  const sameType = type === current.captchaType;
  const secret =
    changes.captchaSecret !== undefined
      ? sealSecret(await secretKey(), stored["id"] as string, checkSecret(changes.captchaSecret))
      : sameType
        ? secretOf(stored)
        : null;
  if (!secret) throw new InvalidInput(`The captcha ${type} needs its secret`);

  const minimumScore = given(changes.captchaMinimumScore, sameType ? current.captchaMinimumScore : null);
  if (minimumScore !== null && type !== "recaptcha")
    throw new InvalidInput("Only recaptcha (v3) has a minimum score");
  if (minimumScore !== null && !(minimumScore >= 0 && minimumScore <= 1))
    throw new InvalidInput("The minimum score must be a number from 0 to 1");
  const hostnames = checkHostnames(given(changes.captchaHostnames, current.captchaHostnames));
  return toColumns(type, secret, minimumScore, hostnames);
}

function toColumns(
  type: CaptchaType | null,
  secret: Buffer | null,
  minimumScore: number | null,
  hostnames: string[],
): Values {
  return {
    captcha_type: type,
    captcha_secret: secret,
    captcha_minimum_score: minimumScore,
    captcha_hostnames: hostnames,
  };
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

async function readOptions(
  options: Values,
  readSecret: (what: string) => Promise<string>,
): Promise<CaptchaChanges & Values> {
  const { captcha: type, captchaMinimumScore, captchaHostname } = options;
  return {
    captchaType: nullIfOff(type as string | undefined),
    captchaSecret: await readCaptchaSecret(options, readSecret),
    captchaMinimumScore: readScore(captchaMinimumScore as string | undefined),
    captchaHostnames: emptyIfOff(captchaHostname as string[] | undefined),
  };
}

async function readCaptchaSecret(
  { captchaSecretStdin, captchaSecretFile }: Values,
  readSecret: (what: string) => Promise<string>,
): Promise<string | undefined> {
  if (captchaSecretStdin && captchaSecretFile !== undefined)
    throw new InvalidInput("Give --captcha-secret-stdin or --captcha-secret-file, not both");
  if (captchaSecretStdin) return readSecret("Captcha secret");
  if (captchaSecretFile === undefined) return undefined;
  try {
    return (await readFile(captchaSecretFile as string, "utf8")).trim();
  } catch (error) {
    throw new InvalidInput(`The captcha secret cannot be read: ${(error as Error).message}`);
  }
}

function readScore(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (isOff(text)) return null;
  // What is no number is refused together with those out of range.
  return text.trim() === "" ? Number.NaN : Number(text);
}
