import Fastify from "fastify";
import { expect, test } from "vitest";
import { smallBodyBytes } from "./receive.js";
import { smallRequests } from "./small-requests.js";

test("a request that brings little is told of before it is answered, and one that brings much is not", async () => {
  let told = 0;
  const app = Fastify({ bodyLimit: 2 * smallBodyBytes });
  await app.register(smallRequests, { onSmallRequest: () => (told += 1) });
  app.all("/", async () => told);
  const answerTo = async (bytes?: number) => {
    told = 0;
    const body = bytes === undefined ? {} : { body: "x".repeat(bytes) };
    const headers = { "content-type": "text/plain" };
    return (await app.inject({ method: "POST", url: "/", headers, ...body })).json();
  };
  expect(await answerTo()).toBe(1);
  expect(await answerTo(smallBodyBytes)).toBe(1);
  expect(await answerTo(smallBodyBytes + 1)).toBe(0);
});
