import { nowMs } from "../src/core/clock.js";
import { codeOfStep, stepAt } from "../src/features/two-factor/totp.js";
import { testPassword, type Visitor } from "./console.js";
import type { TestApp } from "./harness.js";

/** An authenticator app. */
export interface Authenticator {
  /** The current code, or the code this many steps from now. */
  code(stepsFromNow?: number): string;
}

export function authenticator(secret: string): Authenticator {
  const bytes = fromBase32(secret);
  return { code: (stepsFromNow = 0) => codeOfStep(bytes, stepAt(nowMs()) + stepsFromNow) };
}

/** Sets up two-factor authentication for a user, as the console's page does. */
export async function setUpSecondFactor(
  visitor: Visitor,
): Promise<{ app: Authenticator; usedCode: string; recoveryCodes: string[] }> {
  const started = await visitor.post("/session/second-factor", { currentPassword: testPassword });
  const app = authenticator(started.json.secret);
  const usedCode = app.code();
  const confirmed = await visitor.post("/session/second-factor/confirm", { code: usedCode });
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`);
  return { app, usedCode, recoveryCodes: confirmed.json.recoveryCodes };
}

/** Backdates the used codes, so that the current one is accepted. */
export async function letTimePass(gatehouse: TestApp): Promise<void> {
  await gatehouse.database.work.query("update second_factors set last_step = last_step - 10");
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
