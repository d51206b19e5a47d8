import { expect, test } from "vitest";
import { eventsOf } from "./log-events.js";

const eventsIn = (/** @type {string} */ text) => eventsOf("example.ts", text);

test("a log call has its level, its message and the names of its fields", () => {
  expect(eventsIn(`this.#log.warn({ err: error, organizationId }, "retention sweep failed");`)).toEqual([
    { level: "warn", message: "retention sweep failed", fields: ["err", "organizationId"] },
  ]);
});

test("each text of a conditional message is an event, and template values are shown by name", () => {
  expect(
    eventsIn('logger.error(isOurs ? "one" : `${job.name} failed`)').map(({ message }) => message),
  ).toEqual(["one", "{name} failed"]);
});

test("other calls are not events", () => {
  expect(eventsIn(`reply.warn("no"); log.child({ a: 1 }); logger.info(message);`)).toEqual([]);
});
