import { plainAddress, serviceAddress, type Ports } from "./core/server/service-address.js";
import type { Config } from "./core/config.js";
import type { FirstOrganization } from "./core/feature.js";
import type { InitialOperator } from "./core/organizations/operators.js";
import { shellQuote as quote } from "./core/operations/code-samples.js";
import { signInAddress } from "./core/organizations/sign-in-links.js";

/** Where a started service is found, and what is shown only at this start. */
export interface Announcement {
  version: string;
  consoleAddress: string;
  apiAddress: string;
  referenceAddress: string;
  /** Health and metrics. */
  plainAddress: string;
  /** The authority that clients have to trust; null with the operator's own certificate, or none. */
  caFile: string | null;
  demo: { organizationUuid: string; locationUuid: string; key: string; curl: string } | null;
  signIn: { email: string; link: string } | null;
}

export interface AnnouncementParts {
  version: string;
  config: Pick<Config, "host" | "httpHost" | "publicUrl" | "trustedProxies">;
  ports: Ports;
  caFile: string | undefined;
  demo: FirstOrganization | undefined;
  operator: InitialOperator | undefined;
}

export function announcement(parts: AnnouncementParts): Announcement {
  const { config, ports, caFile } = parts;
  const apiAddress = serviceAddress(config, ports);
  // A proxy that ends TLS shows a certificate of its own.
  const isBehindProxy = config.publicUrl !== undefined && config.trustedProxies.length > 0;
  return {
    version: parts.version,
    consoleAddress: apiAddress,
    apiAddress,
    referenceAddress: `${apiAddress}/docs`,
    plainAddress: plainAddress(config, ports.httpPort),
    caFile: caFile ?? null,
    demo: parts.demo ? describeDemo(parts.demo, apiAddress, isBehindProxy ? undefined : caFile) : null,
    signIn: parts.operator
      ? { email: parts.operator.email, link: signInAddress(apiAddress, parts.operator.signInToken) }
      : null,
  };
}

function describeDemo(
  { organizationUuid, locationUuid, key }: FirstOrganization,
  apiAddress: string,
  caFile: string | undefined,
): Announcement["demo"] {
  const batch = {
    transactions: [
      {
        transactionId: "first-1",
        locationUuid,
        type: 1,
        transactionDate: new Date().toISOString(),
        amountTotal: 12.5,
        vehicle: { licensePlate: "DEMO 123" },
      },
    ],
  };
  const curl = [
    "curl",
    ...(caFile ? ["--cacert", quote(caFile)] : []),
    `${apiAddress}/integrations/transactions`,
    "-H",
    quote(`X-API-KEY: ${key}`),
    "-H",
    quote("Content-Type: application/json"),
    "-d",
    quote(JSON.stringify(batch)),
  ].join(" ");
  return { organizationUuid, locationUuid, key, curl };
}

/** What a person reads. The key and the link are not shown again. */
export function announcementText(
  { version, ...shown }: Announcement,
  emphasis: (text: string) => string,
): string {
  const rows: [string, string][] = [
    ["Console", shown.consoleAddress],
    ["API", shown.apiAddress],
    ["API reference", shown.referenceAddress],
    ["Health, metrics", `${shown.plainAddress}/readyz, ${shown.plainAddress}/metrics`],
  ];
  if (shown.caFile)
    rows.push([
      "Trust",
      `${shown.caFile} (the local authority that signed the certificate; browsers warn of it)`,
    ]);
  if (shown.signIn)
    rows.push([
      "Sign in",
      `${localLink(shown, shown.signIn.link)} (once, within 24 hours, as ${shown.signIn.email})`,
    ]);
  if (shown.demo) rows.push(["Demo key", `${shown.demo.key} (shown only now)`]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `  ${emphasis(label.padEnd(width))}  ${value}`);
  const first = shown.demo ? `\n${emphasis("Import a first transaction:")}\n\n  ${shown.demo.curl}\n` : "";
  return `\n${emphasis(`Gatehouse ${version} is ready.`)}\n\n${lines.join("\n")}\n${first}`;
}

/**
 * For a person at this machine: over the plain port, where the browser does not warn of our own certificate. Programs get the
 * address of the service.
 */
function localLink(
  { caFile, consoleAddress, plainAddress: plain }: Omit<Announcement, "version">,
  link: string,
): string {
  const { hostname } = new URL(plain);
  const isLocal = caFile !== null && new URL(consoleAddress).hostname === hostname;
  return isLocal && localNames.includes(hostname) ? link.replace(consoleAddress, plain) : link;
}

/** Not localhost: that is what a service on all addresses shows, which may run in a container. */
const localNames = ["127.0.0.1", "[::1]"];
