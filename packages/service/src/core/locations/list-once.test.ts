import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { createReads } from "../operations/reads.js";
import { noTracer } from "../telemetry/tracer.js";
import { listOnceForEqual } from "./list-once.js";

const gatehouse = useApp();

afterEach(() => {
  vi.restoreAllMocks();
});

test("equal questions that arrive together are asked once; another page, search or organization is another question", async () => {
  const [one, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
  const list = listOnceForEqual(createReads(gatehouse.database.reads), noTracer);
  const statements = vi.spyOn(gatehouse.database.reads, "query");
  const question = { organizationId: one.organizationId, query: undefined, page: { page: 1, pageSize: 5 } };
  const pages = await Promise.all([
    list(question),
    list({ ...question }),
    list({ ...question, page: { page: 1, pageSize: 6 } }),
    list({ ...question, query: "nowhere" }),
    list({ ...question, organizationId: other.organizationId }),
    list({ ...question }),
  ]);
  expect(statements).toHaveBeenCalledTimes(4);
  expect(pages.map(({ data, pageSize }) => [data.map(({ uuid }) => uuid), pageSize])).toEqual([
    [[one.locationUuid], 5],
    [[one.locationUuid], 5],
    [[one.locationUuid], 6],
    [[], 5],
    [[other.locationUuid], 5],
    [[one.locationUuid], 5],
  ]);

  await list(question);
  expect(statements).toHaveBeenCalledTimes(5);
});

test("a list is read in the trace of who asked for it, also where another was being read when he came", async () => {
  const { organizationId } = await gatehouse.tenant();
  const { reads } = gatehouse.database;
  const trace = new AsyncLocalStorage<string>();
  const tracer = { ...noTracer, bind: AsyncResource.bind as typeof noTracer.bind };
  const list = listOnceForEqual(createReads(reads), tracer);
  const question = { organizationId, query: undefined, page: { page: 1, pageSize: 5 } };
  const readIn: (string | undefined)[] = [];
  let second: Promise<unknown> | undefined;
  const query = reads.query.bind(reads) as (...values: unknown[]) => unknown;
  vi.spyOn(reads, "query").mockImplementation(((...values: unknown[]) => {
    readIn.push(trace.getStore());
    second ??= trace.run("second", () => list(question));
    return query(...values);
  }) as never);
  await trace.run("first", () => list(question));
  await second;
  expect(readIn).toEqual(["first", "second"]);
});
