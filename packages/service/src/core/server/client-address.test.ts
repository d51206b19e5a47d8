import Fastify from "fastify";
import { expect, test } from "vitest";
import { clientAddress, isLoopback, limitAddress } from "./client-address.js";

/** @covers reading 43 */
test("an IPv4 address and its IPv6-mapped form count as one address", () => {
  expect(limitAddress("203.0.113.7")).toBe("203.0.113.7");
  for (const mapped of [
    "::ffff:203.0.113.7",
    "::FFFF:203.0.113.7",
    "::ffff:cb00:7107",
    "0:0:0:0:0:ffff:cb00:7107",
  ])
    expect(limitAddress(mapped), mapped).toBe("203.0.113.7");
});

/** @covers reading 43 */
test("an IPv6 address counts by its /64 in any notation", () => {
  for (const address of [
    "2001:db8:1:2::1",
    "2001:DB8:1:2:ffff:ffff:ffff:ffff",
    "2001:0db8:0001:0002:0000:0000:0000:0003",
    "2001:db8:1:2:0:0:192.0.2.1",
    "2001:db8:1:2::1%eth0",
  ])
    expect(limitAddress(address), address).toBe("2001:db8:1:2::/64");
  expect(limitAddress("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(limitAddress("::1")).toBe("0:0:0:0::/64");
  expect(limitAddress("fe80::1")).toBe("fe80:0:0:0::/64");
});

test("loopback addresses are recognized", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    expect(isLoopback(address), address).toBe(true);
  for (const address of ["128.0.0.1", "1.127.0.1", "::2", "fe80::1", "127.evil.example", ""])
    expect(isLoopback(address), address).toBe(false);
});

/** @covers reading 43 */
test("X-Forwarded-For is trusted only from trusted proxies, and its rightmost untrusted hop counts", async () => {
  const app = Fastify({ trustProxy: ["10.0.0.1", "10.0.0.2"] });
  app.get("/", async (request) => clientAddress(request));
  const seen = async (remoteAddress: string, forwarded?: string) =>
    (
      await app.inject({
        url: "/",
        remoteAddress,
        ...(forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } }),
      })
    ).body;
  expect(await seen("203.0.113.7")).toBe("203.0.113.7");
  expect(await seen("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
  expect(await seen("10.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  expect(await seen("10.0.0.1", "192.0.2.1, 198.51.100.1")).toBe("198.51.100.1");
  expect(await seen("10.0.0.1", "192.0.2.1, 198.51.100.1, 10.0.0.2")).toBe("198.51.100.1");
  expect(await seen("10.0.0.1")).toBe("10.0.0.1");
  // With a port, in brackets, or not an address.
  expect(await seen("10.0.0.1", "198.51.100.1:4711")).toBe("198.51.100.1");
  expect(await seen("10.0.0.1", "[2001:db8::1]:4711")).toBe("2001:db8::1");
  for (const nonsense of ["unknown", "_hidden", "999.1.1.1", "198.51.100.1:x"])
    expect(await seen("10.0.0.1", nonsense), nonsense).toBe("10.0.0.1");
  await app.close();
});
