import { captchaProviders, type CaptchaType } from "@gatehouse-parking/contract";
import { fetchWhole } from "../../outgoing-request.js";

/**
 * Error codes of all three providers that are not about the visitor's token: our secret or request is wrong,
 * or the provider failed. A visitor could retry forever, so the operator has to learn about it.
 */
const configurationErrorCodes: ReadonlySet<string> = new Set([
  "missing-input-secret",
  "invalid-input-secret",
  "sitekey-secret-mismatch",
  "not-using-dummy-secret",
  "not-using-dummy-passcode",
  "missing-remoteip",
  "invalid-remoteip",
  "bad-request",
  "internal-error",
]);

/** How an organization wants tokens checked. */
export interface CaptchaRules {
  type: CaptchaType;
  secret: string;
  /** Where the provider verifies tokens. */
  url: string;
  minimumScore: number | null;
  /** Empty: a token may have been solved on any page. */
  hostnames: readonly string[];
}

export interface CaptchaRequest {
  token: string;
  remoteAddress: string;
  timeoutMs?: number;
}

/** The part of the provider's answer that is stored with the lead. */
export interface CaptchaResult {
  hostname?: string;
  score?: number;
  action?: string;
  challengeTime?: string;
}

export type CaptchaVerdict =
  | { outcome: "accepted"; result: CaptchaResult }
  /** The token was not accepted: the visitor has to solve the captcha again. */
  | { outcome: "refused"; reason: string }
  /** There is no verdict: the provider was unreachable, sent an invalid answer, or refused our secret. */
  | { outcome: "unavailable"; reason: string };

export const captchaTimeoutMs = 5_000;
/** Real tokens have up to about 4,000 characters; longer ones are rejected without asking the provider. */
const maxTokenLength = 16_384;
/** Real answers have a few hundred bytes. */
const maxAnswerBytes = 65_536;
const maxKeptTextLength = 255;
/** Google's recommended minimum. Without one, a v3 token would let every bot pass. */
const defaultMinimumScore = 0.5;

export async function verifyCaptcha(rules: CaptchaRules, request: CaptchaRequest): Promise<CaptchaVerdict> {
  if (request.token.length > maxTokenLength) return { outcome: "refused", reason: "the token is too long" };
  let status: number;
  let text: string;
  try {
    ({ status, text } = await ask(rules, request));
  } catch (error) {
    return { outcome: "unavailable", reason: describeFailure(error) };
  }
  const answer = parseAnswer(text);
  if (!answer) return { outcome: "unavailable", reason: `the provider answered ${status} without a verdict` };
  if (answer["success"] === false) return judgeErrors(status, answer);
  if (status < 200 || status > 299)
    return { outcome: "unavailable", reason: `the provider answered ${status} to a good token` };
  return judgeSuccess(rules, answer);
}

async function ask(rules: CaptchaRules, request: CaptchaRequest): Promise<{ status: number; text: string }> {
  const response = await fetchWhole(
    rules.url,
    {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({
        secret: rules.secret,
        response: request.token,
        remoteip: request.remoteAddress,
      }),
    },
    { timeoutMs: request.timeoutMs ?? captchaTimeoutMs, maxBytes: maxAnswerBytes },
  );
  return { status: response.status, text: await response.text() };
}

function parseAnswer(text: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const isVerdict =
      typeof answer === "object" && answer !== null && typeof Reflect.get(answer, "success") === "boolean";
    return isVerdict ? (answer as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function judgeErrors(status: number, answer: Record<string, unknown>): CaptchaVerdict {
  const given = answer["error-codes"];
  const codes = (Array.isArray(given) ? given : []).filter((code) => typeof code === "string").slice(0, 10);
  const reason = `the provider refused: ${codes.join(", ").slice(0, maxKeptTextLength) || "no reason given"}`;
  const blamesToken = status < 500 && !codes.some((code) => configurationErrorCodes.has(code));
  return blamesToken ? { outcome: "refused", reason } : { outcome: "unavailable", reason };
}

function judgeSuccess(rules: CaptchaRules, answer: Record<string, unknown>): CaptchaVerdict {
  const hostname = shortText(answer["hostname"]);
  if (rules.hostnames.length > 0 && !rules.hostnames.includes(hostname?.toLowerCase() ?? ""))
    return { outcome: "refused", reason: "the token was solved on another page" };

  const score = typeof answer["score"] === "number" ? answer["score"] : undefined;
  if (captchaProviders[rules.type].isScored) {
    const minimum = rules.minimumScore ?? (score === undefined ? undefined : defaultMinimumScore);
    // A token without a score never meets a configured minimum.
    if (minimum !== undefined && !(score !== undefined && score >= minimum))
      return { outcome: "refused", reason: "the score is too low" };
  }

  const action = shortText(answer["action"]);
  const challengeTime = shortText(answer["challenge_ts"]);
  return {
    outcome: "accepted",
    result: {
      ...(hostname === undefined ? {} : { hostname }),
      ...(score === undefined ? {} : { score }),
      ...(action === undefined ? {} : { action }),
      ...(challengeTime === undefined ? {} : { challengeTime }),
    },
  };
}

function shortText(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, maxKeptTextLength) : undefined;
}

/** fetch hides the network error in `cause`. */
function describeFailure(error: unknown): string {
  const failure = error as Error & { cause?: { code?: string; message?: string } };
  if (failure.name === "TimeoutError") return "the provider did not answer in time";
  return failure.cause?.code ?? failure.cause?.message ?? failure.message;
}
