import { expect, test } from "vitest";
import { useStalledBody, whileGarbageIsCollected } from "../../../testing/stalled-body.js";
import { boundedFetch } from "./bounded-fetch.js";

const stalled = useStalledBody();

test("a request to a provider that stalls within its answer times out, also during garbage collection", async () => {
  const ask = boundedFetch(300);
  const refused = () => expect(ask(stalled.url, {})).rejects.toThrow(/^no answer within \d+ ms$/);
  await whileGarbageIsCollected(Promise.all(Array.from({ length: 5 }, refused)));
  await expect.poll(() => stalled.open).toBe(0);
});
