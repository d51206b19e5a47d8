import { readFileSync } from "node:fs";
import { maxBodyBytes, operations } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { readConfig } from "../packages/service/src/config.js";
import { listenerTimeouts } from "../packages/service/src/core/server/servers.js";

// The rig acceptance/rigs/proxies.test.ts runs the same files in the programs they are for.
const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
const nginx = read("nginx/gatehouse.conf");
const haproxy = read("haproxy/haproxy.cfg");
const proxies = [
  ["nginx", nginx],
  ["haproxy", haproxy],
] as const;
const paths = Object.values(operations).map(({ path }) => path);

test.each(proxies)("%s sends requests to the plain port of two instances", (_name, file) => {
  const targets = [...file.matchAll(/^\s*server .*?(\d+\.\d+\.\d+\.\d+):(\d+)/gm)];
  expect(new Set(targets.map(([, address]) => address)).size).toBe(2);
  for (const [, , port] of targets) expect(Number(port)).toBe(readConfig({}).httpPort);
});

test.each(proxies)("%s sets every header itself that the service believes a proxy", (_name, file) => {
  const isSet = (header: string) =>
    [...file.matchAll(/(?:proxy_set_header|set-header) (\S+) (\S+)/g)].some(
      ([, name, value]) => name === header && value !== "$proxy_add_x_forwarded_for",
    );
  for (const header of ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"])
    expect(isSet(header), header).toBe(true);
});

test.each(proxies)(
  "%s passes plain HTTP on to be refused for every path of the interface, and metrics never",
  (_name, file) => {
    const passed = /\^\/\(integrations\|lead\)\/|beg \/integrations\/ \/lead\//;
    expect(file).toMatch(passed);
    for (const path of paths) expect(path).toMatch(/^\/(?:integrations|lead)\//);
    expect(file).toMatch(/location ~\* \^\/metrics|path -i -m beg \/metrics/);
  },
);

test("nginx leaves the 413 to the service, and retries only imports", () => {
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginx) ?? [];
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(maxBodyBytes);
  const imports = Object.entries(operations).filter(([name]) => name.startsWith("import"));
  const names = imports.map(([, { path }]) => path.split("/").at(-1));
  expect(nginx).toContain(`location ~* ^/integrations/(${names.join("|")})/?$`);
  expect(nginx.match(/non_idempotent/g)).toHaveLength(1);
});

test("HAProxy asks for readiness, and often enough for the drain that its file suggests", () => {
  expect(haproxy).toContain("option httpchk GET /readyz");
  const [, interval, fall] = /check inter (\d+)s fall (\d+)/.exec(haproxy) ?? [];
  const [, drain] = /GATEHOUSE_DRAIN_SECONDS=(\d+)/.exec(haproxy) ?? [];
  expect(Number(drain)).toBeGreaterThan(2 * Number(interval) * Number(fall));
  expect([...haproxy.matchAll(/^\s*retry-on (.+)$/gm)].map(([, when]) => when)).toEqual(["conn-failure"]);
});

test.each([
  ["nginx", /keepalive \d+;\s+keepalive_timeout (\d+)s;/.exec(nginx)],
  ["haproxy", /pool-purge-delay (\d+)s/.exec(haproxy)],
])("%s lets go of an idle connection before the service does", (_name, found) => {
  expect(Number(found?.[1]) * 1_000).toBeLessThan(listenerTimeouts.keepAliveTimeout);
});
