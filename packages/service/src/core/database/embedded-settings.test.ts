import { expect, test } from "vitest";
import { sharedBuffersMegabytes } from "./database-server.js";

const gigabyte = 1024 ** 3;

test("the server's buffers are a sixteenth of the machine's or container's memory, within limits", () => {
  expect(sharedBuffersMegabytes(8 * gigabyte, undefined)).toBe(512);
  expect(sharedBuffersMegabytes(8 * gigabyte, 0)).toBe(512);
  expect(sharedBuffersMegabytes(8 * gigabyte, 4 * gigabyte)).toBe(256);
  expect(sharedBuffersMegabytes(8 * gigabyte, 2 ** 60)).toBe(512);
  expect(sharedBuffersMegabytes(gigabyte, undefined)).toBe(128);
  expect(sharedBuffersMegabytes(256 * gigabyte, undefined)).toBe(1024);
});
