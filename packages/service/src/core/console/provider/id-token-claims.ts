import { isStorableText } from "@gatehouse-parking/contract";
import type { IDToken } from "oauth4webapi";
import { nowMs } from "../../clock.js";

/** By so much the provider's clock may differ from ours. */
export const clockToleranceSeconds = 30;
/** OpenID Connect Core allows no more. */
const maxSubjectLength = 255;
const controlCharacter = /\p{Cc}/u;

/** What the library leaves to its caller. Throws with what is wrong. */
export function checkClaims({ sub, azp, iat }: IDToken, clientId: string): void {
  if (sub === "" || sub.length > maxSubjectLength || !isStorableText(sub) || controlCharacter.test(sub))
    throw new Error(
      `the subject is empty, longer than ${maxSubjectLength} characters, or has control characters`,
    );
  if (azp !== undefined && azp !== clientId)
    throw new Error("the ID token was issued to another client (azp)");
  if (iat > nowMs() / 1_000 + clockToleranceSeconds) throw new Error("the ID token is from the future (iat)");
}
