import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { readPageRequest, toPage } from "./paging.js";

const sizes = { defaultPageSize: 20, maxPageSize: 100 };
const read = (page?: unknown, pageSize?: unknown) => readPageRequest({ page, pageSize }, sizes);

/** @covers reading 45 */
test("missing or invalid numbers get the default", () => {
  for (const value of [undefined, "", " ", "x", "1x", "0x10", "1e2", "NaN", "Infinity", "١", "--1", {}, null])
    expect(read(value, value), String(value)).toEqual({ page: 1, pageSize: 20 });
});

/** @covers R221, R222, reading 45 */
test("numbers out of range are clamped", () => {
  expect(read("0", "0")).toEqual({ page: 1, pageSize: 1 });
  expect(read("-5", "-5")).toEqual({ page: 1, pageSize: 1 });
  expect(read("2", "101")).toEqual({ page: 2, pageSize: 100 });
  expect(read("3", "99999999999999999999999")).toEqual({ page: 3, pageSize: 100 });
  expect(read("99999999999999999999999", "1")).toEqual({ page: 1_000_000_000, pageSize: 1 });
  expect(read("2.9", "1.5")).toEqual({ page: 2, pageSize: 1 });
  expect(read(" 2 ", "+7")).toEqual({ page: 2, pageSize: 7 });
});

test("the last of repeated parameters counts", () => {
  expect(read(["1", "2"], ["x", "5", "x"])).toEqual({ page: 2, pageSize: 20 });
});

/** @covers R212 */
test("all pages together are the whole list, with correct flags", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 50 }), (total, pageSize) => {
      const list = Array.from({ length: total }, (_none, index) => index);
      const seen: number[] = [];
      for (let page = 1; ; page += 1) {
        const start = (page - 1) * pageSize;
        const shown = toPage(list.slice(start, start + pageSize), total, { page, pageSize });
        seen.push(...shown.data);
        expect(shown.totalPages).toBe(Math.ceil(total / pageSize));
        expect(shown.hasPreviousPage).toBe(page > 1);
        if (!shown.hasNextPage) break;
      }
      expect(seen).toEqual(list);
    }),
  );
});

/** @covers reading 45 */
test("a page past the end is empty, and an empty list has no pages", () => {
  expect(toPage([], 3, { page: 9, pageSize: 2 })).toEqual({
    data: [],
    totalCount: 3,
    pageSize: 2,
    currentPage: 9,
    totalPages: 2,
    hasPreviousPage: true,
    hasNextPage: false,
  });
  expect(toPage([], 0, { page: 2, pageSize: 2 })).toMatchObject({
    totalPages: 0,
    hasPreviousPage: false,
    hasNextPage: false,
  });
});
