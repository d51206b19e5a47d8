import { expect, test } from "vitest";
import { useStalledBody, whileGarbageIsCollected } from "../../testing/stalled-body.js";
import { verifyCaptcha } from "./leads/captcha/verify-captcha.js";

const stalled = useStalledBody();

test("a captcha provider that stalls while sending its answer times out, even after garbage collection", async () => {
  const rules = { type: "hcaptcha", secret: "s", minimumScore: null, hostnames: [] } as const;
  const request = { token: "t", remoteAddress: "203.0.113.7", timeoutMs: 300 };
  const verdicts = await whileGarbageIsCollected(
    Promise.all(Array.from({ length: 5 }, () => verifyCaptcha({ ...rules, url: stalled.url }, request))),
  );
  expect(new Set(verdicts.map((verdict) => verdict.outcome))).toEqual(new Set(["unavailable"]));
  expect(verdicts[0]).toMatchObject({ reason: "the provider did not answer in time" });
  await expect.poll(() => stalled.open).toBe(0);
});
