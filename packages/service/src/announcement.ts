import type { Logger } from "pino";
import { plainAddress, serviceAddress, type Ports } from "./core/server/service-address.js";
import type { Config } from "./core/config.js";
import type { LogFormat } from "./core/config/variables/log.js";
import type { FirstOrganization } from "./core/feature.js";
import type { InitialOperator } from "./core/organizations/operators.js";
import { shellQuote as quote } from "./core/operations/code-samples.js";
import { signInAddress } from "./core/organizations/sign-in-links.js";

/** The addresses of a started service, and the secrets that are shown only once. */
export interface Announcement {
  version: string;
  consoleAddress: string;
  apiAddress: string;
  referenceAddress: string;
  /** Health and metrics. */
  plainAddress: string;
  /** The local certificate authority that clients must trust. Null with the operator's own certificate, or without TLS. */
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
  // Clients see the proxy's certificate.
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

export interface AnnounceOptions {
  /** Prints a JSON document on stdout and the log on stderr. */
  json: boolean;
  format: LogFormat;
  emphasis: (text: string) => string;
  logger: Logger;
}

/** Shows the announcement as a JSON document, as text, or as a log line. */
export function announce(announced: Announcement, { json, format, emphasis, logger }: AnnounceOptions): void {
  const { demo, signIn, ...addresses } = announced;
  if (json) {
    process.stdout.write(`${JSON.stringify(announced, null, 2)}\n`);
    if (!process.stdout.isTTY) logger.info(addresses, "ready");
  } else if (format === "pretty") {
    process.stdout.write(`${announcementText(announced, emphasis)}\n`);
  } else {
    // The key and the link are shown only once, so this line is written at every log level.
    const log = demo !== null || signIn !== null ? logger.child({}, { level: "info" }) : logger;
    log.info({ ...addresses, signIn: signIn ?? undefined, demo: demo ?? undefined }, "ready");
  }
}

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
    rows.push(["Trust", `${shown.caFile} (local certificate authority; browsers show a warning)`]);
  if (shown.signIn)
    rows.push([
      "Sign in",
      `${localLink(shown, shown.signIn.link)} (works once within 24 hours, as ${shown.signIn.email})`,
    ]);
  if (shown.demo) rows.push(["Demo key", `${shown.demo.key} (shown only now)`]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `  ${emphasis(label.padEnd(width))}  ${value}`);
  const first = shown.demo ? `\n${emphasis("Import a first transaction:")}\n\n  ${shown.demo.curl}\n` : "";
  return `\n${emphasis(`Gatehouse ${version} is ready.`)}\n\n${lines.join("\n")}\n${first}`;
}

/**
 * Uses the plain port if the browser is on this machine, where it shows no certificate warning. JSON keeps the address
 * of the service.
 */
function localLink(
  { caFile, consoleAddress, plainAddress: plain }: Omit<Announcement, "version">,
  link: string,
): string {
  const { hostname } = new URL(plain);
  const isLocal = caFile !== null && new URL(consoleAddress).hostname === hostname;
  return isLocal && localNames.includes(hostname) ? link.replace(consoleAddress, plain) : link;
}

/**
 * Not localhost: if the service listens on all addresses, its shown name is localhost, but it may run in a container.
 */
const localNames = ["127.0.0.1", "[::1]"];
