import { expect, test } from "vitest";
import { useApp } from "../harness.js";
import { processorMs } from "../longest-hold.js";
import { attacksOn, type Target } from "./attacks.js";
import { Judge } from "./judge.js";
import { readsOf } from "./reads.js";

/** Tests the checks themselves: a route with every fault they look for, each at one value of one parameter. */
const kept: Buffer[] = [];
const gatehouse = useApp({}, (app) => {
  app.get("/planted", { config: { access: "public" } }, async (request) => {
    const { when, size } = request.query as { when?: string; size?: string };
    if (when === "9999-12-31") throw new RangeError("Invalid time value");
    if (when === "0000-12-31T23:59:59Z") request.log.error("answered despite an error");
    if (size === "2147483648") spin(60);
    if (size === "9223372036854775808") kept.push(Buffer.alloc(256 * 1024 ** 2, 1));
    return {};
  });
});

function spin(ms: number): void {
  for (const begun = processorMs(); processorMs() - begun < ms;);
}

test("reads of the request are seen; a 500, a logged error, a blocked event loop and leaked memory are found", async () => {
  const reads = await readsOf(() => gatehouse.send({ method: "GET", url: "/planted?when=now" }));
  expect([...reads.query].toSorted()).toEqual(["size", "when"]);
  const target: Target = {
    name: "planted",
    method: "GET",
    path: "/planted",
    parameters: {},
    query: {},
    queryNames: [...reads.query],
    body: undefined,
    bodyFields: [],
    batch: undefined,
    headerNames: [],
    maxBytes: 0,
  };
  const judge = new Judge(gatehouse, { maxHoldMs: 50, maxHeapMegabytes: 32 });
  for (const attack of attacksOn(target)) await judge.send(target, attack, {});
  const found = judge.findings().filter((finding, index, all) => finding !== all[index - 1]);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^planted when=9999-12-31: 500 .*Invalid time value/),
      expect.stringMatching(/^planted when=0000-12-31T23%3A59%3A59Z: 200 /),
      expect.stringMatching(/^planted size=2147483648: held the event loop for \d+ ms/),
      expect.stringMatching(/^planted size=9223372036854775808: left \d+ MB/),
    ]),
  );
  expect(found.some((finding) => finding.startsWith("planted when=1000-01-01"))).toBe(false);
  kept.length = 0;
});
