import { expect, test } from "vitest";
import { shedLastingPressure } from "./load-shedding.js";

test("one long pause refuses nobody; pressure that lasts refuses; and once it has ended, it begins anew", async () => {
  let nowMs = 10_000;
  const underPressure = shedLastingPressure(() => nowMs);
  const after = (ms: number) => {
    nowMs += ms;
    return underPressure();
  };
  expect(after(0)).toBeUndefined();
  expect(after(900)).toBeUndefined();
  await expect(after(900)).rejects.toThrow("The service is busy");
  await expect(after(100)).rejects.toThrow("The service is busy");
  expect(after(2_000)).toBeUndefined();
  await expect(Promise.all([after(1_000), after(600)])).rejects.toThrow("The service is busy");
});
