import { expect, it } from "vitest";
import { apiAddressOf } from "./api-address.js";

const ports = { https: 8443, http: 8080 };

it("commands use HTTPS, even if the console was opened over plain HTTP", () => {
  const overTls = { origin: "https://localhost:8443", plainOrigin: "http://localhost:8080" };
  expect(apiAddressOf(new URL("http://localhost:8080"), false, ports)).toEqual(overTls);
  expect(apiAddressOf(new URL("https://localhost:8443"), false, ports)).toEqual(overTls);
});

it("behind a proxy, commands use the proxy's address", () => {
  const opened = new URL("https://gatehouse.example.com");
  const origin = "https://gatehouse.example.com";
  expect(apiAddressOf(opened, false, { https: null, http: 8080 }).origin).toBe(origin);
  expect(apiAddressOf(opened, true, ports)).toEqual({ origin, plainOrigin: "http://gatehouse.example.com" });
});
