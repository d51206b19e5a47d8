import { captchaTypes, type CaptchaType } from "@gatehouse-parking/contract";
import { readFile } from "node:fs/promises";
import { invalidInput, requireText } from "../refusals/user-error.js";
import { sealSecret } from "./secrets.js";
import {
  kinds,
  off,
  type OrganizationSetting,
  type ReadSecret,
  type Sealing,
  type Values,
} from "./setting.js";

/** The secret is write-only. */
export interface CaptchaSettings {
  captchaType: CaptchaType | null;
  /** The minimum score of a reCAPTCHA v3 token. */
  captchaMinimumScore: number | null;
  /** The hostnames on which a token may have been solved. Empty: any. */
  captchaHostnames: string[];
}

export interface CaptchaChanges {
  captchaType?: string | null | undefined;
  captchaSecret?: string | undefined;
  captchaMinimumScore?: number | null | undefined;
  captchaHostnames?: readonly string[] | undefined;
}

export interface LoadedCaptcha extends CaptchaSettings {
  /** Encrypted; see encryption.ts. */
  captchaSecret: Buffer | null;
}

const maxSecretLength = 512;
const maxHostnames = 20;
const maxHostnameLength = 253;

/**
 * The values of the captcha depend on each other: another type needs another secret, and only reCAPTCHA has a
 * score.
 */
export const captcha: OrganizationSetting = {
  names: ["captchaType", "captchaMinimumScore", "captchaHostnames"],
  columns: ["captcha_type", "captcha_secret", "captcha_minimum_score", "captcha_hostnames"],
  show,
  change,
  // The secret is not shown, but replacing it counts as a change.
  hidden: (stored) => ({ secret: secretOf(stored)?.toString("base64") }),
  audit: ({ captchaSecret }) => (captchaSecret === undefined ? {} : { captchaSecretChanged: true }),
  readBy: ["leads"],
  load: (stored) => ({ ...show(stored), captchaSecret: secretOf(stored) }),
  commandLine: {
    options: [
      ["--captcha <type>", `which captcha guards lead submission: ${captchaTypes.join(", ")} or off`],
      ["--captcha-secret-stdin", "read the provider's secret from standard input"],
      ["--captcha-secret-file <file>", "read the provider's secret from a file"],
      ["--captcha-minimum-score <score>", "the minimum score of a reCAPTCHA v3 token, 0 to 1, or off"],
      ["--captcha-hostname <name...>", "host names that a token may come from, or off for any"],
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
  const toColumns = (secret: Buffer | null, score: number | null, hostnames: string[]): Values => ({
    ...{ captcha_type: type, captcha_secret: secret },
    ...{ captcha_minimum_score: score, captcha_hostnames: hostnames },
  });
  const extras = [changes.captchaSecret, changes.captchaMinimumScore, changes.captchaHostnames?.[0]];
  if (type === null) {
    if (extras.some((extra) => extra !== undefined && extra !== null))
      throw invalidInput("The captcha is off; choose its type together with its secret, score and hostnames");
    return toColumns(null, null, []);
  }
  const sameType = type === current.captchaType;
  const secret =
    changes.captchaSecret !== undefined
      ? sealSecret(await secretKey(), stored["id"] as string, checkSecret(changes.captchaSecret))
      : sameType
        ? secretOf(stored)
        : null;
  if (!secret) throw invalidInput(`The captcha ${type} needs its secret`);

  const minimumScore = given(changes.captchaMinimumScore, sameType ? current.captchaMinimumScore : null);
  if (minimumScore !== null && type !== "recaptcha")
    throw invalidInput("Only recaptcha (v3) has a minimum score");
  if (minimumScore !== null && !(minimumScore >= 0 && minimumScore <= 1))
    throw invalidInput("The minimum score must be a number from 0 to 1");
  return toColumns(
    secret,
    minimumScore,
    checkHostnames(given(changes.captchaHostnames, current.captchaHostnames)),
  );
}

function given<T>(change: T | undefined, current: T): T {
  return change === undefined ? current : change;
}

function checkType(type: string | null): CaptchaType | null {
  if (type === null) return null;
  const known = captchaTypes.find((captchaType) => captchaType === type);
  if (!known) throw invalidInput(`"${type}" is not a captcha; there are ${captchaTypes.join(", ")}`);
  return known;
}

/** A secret file usually ends with a newline. */
function checkSecret(secret: string): string {
  return requireText("The captcha secret", secret.trim(), maxSecretLength);
}

function checkHostnames(hostnames: readonly string[]): string[] {
  if (hostnames.length > maxHostnames)
    throw invalidInput(`There can be at most ${maxHostnames} captcha hostnames`);
  return hostnames.map((hostname) => {
    const address = `https://${hostname}`;
    const url = hostname.length <= maxHostnameLength && URL.canParse(address) ? new URL(address) : undefined;
    if (!url || url.host === "" || `https://${url.host}/` !== url.href || url.port !== "")
      throw invalidInput(`"${hostname}" is not a hostname such as www.example.com`);
    return url.hostname;
  });
}

type Typed = Partial<Record<"captcha" | "captchaSecretFile" | "captchaMinimumScore", string>> & {
  captchaSecretStdin?: boolean;
  captchaHostname?: string[];
};

async function readOptions(options: Typed, readSecret: ReadSecret): Promise<Values> {
  const { captcha: type, captchaMinimumScore: score, captchaHostname: hostnames } = options;
  return {
    captchaType: type && kinds.text.option.parse(type),
    captchaSecret: await readCaptchaSecret(options, readSecret),
    captchaMinimumScore: score === undefined ? undefined : readScore(score),
    captchaHostnames: hostnames && kinds.list.option.parse(hostnames),
  };
}

async function readCaptchaSecret(
  { captchaSecretStdin, captchaSecretFile }: Typed,
  readSecret: ReadSecret,
): Promise<string | undefined> {
  if (captchaSecretStdin && captchaSecretFile !== undefined)
    throw invalidInput("Give --captcha-secret-stdin or --captcha-secret-file, not both");
  if (captchaSecretStdin) return readSecret("Captcha secret");
  if (captchaSecretFile === undefined) return undefined;
  try {
    return (await readFile(captchaSecretFile, "utf8")).trim();
  } catch (error) {
    throw invalidInput(`The captcha secret cannot be read: ${(error as Error).message}`);
  }
}

function readScore(text: string): number | null {
  if (text === off) return null;
  // NaN is rejected together with numbers out of range.
  return text.trim() === "" ? Number.NaN : Number(text);
}
