import {
  readInteger,
  readSwitch,
  readText,
  readCertificateNames,
  readOrigin,
  readProxies,
} from "../readers.js";
import type { Variables } from "../variables.js";

/** How clients reach the service. */
export const networkVariables = {
  host: {
    name: "GATEHOUSE_HOST",
    read: readText,
    whenUnset: "127.0.0.1",
    shownDefault: "127.0.0.1",
    description: "The address to listen on, for both ports. Use 0.0.0.0 or :: to listen on all addresses.",
  },
  httpHost: {
    name: "GATEHOUSE_HTTP_HOST",
    read: readText,
    whenUnset: undefined,
    shownDefault: "GATEHOUSE_HOST",
    description:
      "A separate listen address for the plain port. 127.0.0.1 keeps the port and `/metrics` private while HTTPS is public.",
  },
  httpNames: {
    name: "GATEHOUSE_HTTP_NAMES",
    read: readCertificateNames,
    whenUnset: [],
    shownDefault: "none",
    description:
      "Additional host names, separated by commas, that the plain port accepts for metrics, console and docs, such as the name that Prometheus scrapes (gate1.example.com). Always accepted: IP addresses, names without a dot, names ending in .localhost, .local, .internal or .svc, the machine's name, and the names in GATEHOUSE_PUBLIC_URL and GATEHOUSE_TLS_NAMES.",
  },
  httpsPort: {
    name: "GATEHOUSE_HTTPS_PORT",
    read: (text: string) => readInteger(text, 0, 65_535),
    whenUnset: 8443,
    shownDefault: "8443",
    description: "HTTPS port for the API and the console. 0 selects any free port.",
  },
  httpPort: {
    name: "GATEHOUSE_HTTP_PORT",
    read: (text: string) => readInteger(text, 0, 65_535),
    whenUnset: 8080,
    shownDefault: "8080",
    description:
      "Plain HTTP port for health checks and metrics, and on the same machine also for console and docs. It rejects API requests.",
  },
  https: {
    name: "GATEHOUSE_HTTPS",
    read: readSwitch,
    whenUnset: true,
    shownDefault: "on",
    description:
      "If off, only the plain port is opened and no certificate is created. Use this behind a proxy that terminates TLS. Requires GATEHOUSE_TRUST_PROXY.",
  },
  publicUrl: {
    name: "GATEHOUSE_PUBLIC_URL",
    read: readOrigin,
    whenUnset: undefined,
    shownDefault: "the address it listens on",
    description:
      "The public https origin, such as https://gatehouse.example.com. It is used in links, curl examples and the OpenAPI document, and to check the origin of console requests.",
  },
  tlsCertificateFile: {
    name: "GATEHOUSE_TLS_CERT",
    read: readText,
    whenUnset: undefined,
    shownDefault: "generated",
    description:
      "PEM file with the certificate chain. Renewed files are loaded without a restart. If unset, a local certificate authority and a certificate are generated in the data folder.",
  },
  tlsKeyFile: {
    name: "GATEHOUSE_TLS_KEY",
    read: readText,
    whenUnset: undefined,
    shownDefault: "generated",
    description: "PEM file with the private key of the certificate.",
  },
  tlsNames: {
    name: "GATEHOUSE_TLS_NAMES",
    read: readCertificateNames,
    whenUnset: [],
    shownDefault: "this machine's own",
    description:
      "Additional names and addresses, separated by commas, for the generated certificate. If the certificate lacks one, the local certificate authority issues a new one. The host of GATEHOUSE_PUBLIC_URL is always included.",
  },
  trustedProxies: {
    name: "GATEHOUSE_TRUST_PROXY",
    read: readProxies,
    whenUnset: [],
    shownDefault: "none",
    description:
      "Addresses or CIDR ranges, separated by commas, of proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted.",
  },
  connectionsPerAddress: {
    name: "GATEHOUSE_CONNECTIONS_PER_ADDRESS",
    read: (text: string) => readInteger(text, 0, 2_000),
    whenUnset: 256,
    shownDefault: "256",
    description:
      "Maximum concurrent connections per client address (IPv6: per /64) on each port. Trusted proxies are exempt. Set 0 (unlimited) behind a load balancer that connects with its own address.",
  },
  allowPlainHttp: {
    name: "GATEHOUSE_ALLOW_PLAIN_HTTP",
    read: readSwitch,
    whenUnset: false,
    shownDefault: "off",
    description:
      "If on, the API also answers over plain HTTP. For local development only. The service logs a warning at every start.",
  },
} satisfies Partial<Variables>;
