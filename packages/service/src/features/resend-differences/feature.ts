import type { Feature } from "../../core/feature.js";
import { findDifferences } from "./find-differences.js";

/** Shows how a resent record differs from the stored one. The stored record stays as it is. */
export const resendDifferences: Feature = {
  name: "resend-differences",
  afterImport: () => ({
    compareSkipped: (queue, run, records, outcomes) =>
      run.tracer.step("compare", () => findDifferences(queue, run, records, outcomes)),
  }),
};
