import { features } from "../src/features.js";
import { verifyStoredData as verify, type VerifyReport } from "../src/core/verify/verify.js";

/** All checks, including those of the features. */
export function verifyStoredData(
  connectionString: string,
  options: Omit<Parameters<typeof verify>[1], "features"> = {},
): Promise<VerifyReport> {
  return verify(connectionString, { ...options, features });
}
