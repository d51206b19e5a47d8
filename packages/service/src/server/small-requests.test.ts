import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { YieldBudget, firstTurnMs, hurryMs } from "../scheduling/yield-budget.js";
import { smallBodyBytes } from "./receive.js";
import { smallRequests } from "./small-requests.js";

test("long work gives way sooner behind a request that brings little, and not behind one that brings much", async () => {
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const app = Fastify({ bodyLimit: 2 * smallBodyBytes });
  await app.register(smallRequests);
  app.all("/", async () => "answered");
  let nowMs = 1_000_000;

  const isSpentBehind = async (request: { method: "GET" } | { method: "POST"; body: string }) => {
    nowMs += hurryMs;
    clock.mockReturnValue(nowMs);
    expect((await app.inject({ url: "/", ...request })).body).toBe("answered");
    const budget = new YieldBudget(() => nowMs);
    nowMs += firstTurnMs + 0.001;
    return budget.isSpent;
  };
  const text = (length: number) => JSON.stringify("x".repeat(length - 2));
  const post = (length: number) => isSpentBehind({ method: "POST", body: text(length), ...jsonHeaders });
  expect(await isSpentBehind({ method: "GET" })).toBe(true);
  expect(await post(smallBodyBytes)).toBe(true);
  expect(await post(smallBodyBytes + 1)).toBe(false);
});

const jsonHeaders = { headers: { "content-type": "application/json" } };
