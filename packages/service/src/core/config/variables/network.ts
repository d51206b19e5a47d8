import {
  readInteger,
  readSwitch,
  readText,
  readCertificateNames,
  readOrigin,
  readProxies,
} from "../readers.js";
import type { Variables } from "../variables.js";

/** How the service is reached. */
export const networkVariables = {
  host: {
    name: "GATEHOUSE_HOST",
    read: readText,
    whenUnset: "127.0.0.1",
    shownDefault: "127.0.0.1",
    description: "Address to listen on, for both ports. 0.0.0.0 or :: for all.",
  },
  httpHost: {
    name: "GATEHOUSE_HTTP_HOST",
    read: readText,
    whenUnset: undefined,
    shownDefault: "GATEHOUSE_HOST",
    description:
      "Another address for the plain port alone: 127.0.0.1 keeps it and `/metrics` on this machine while HTTPS is public.",
  },
  httpNames: {
    name: "GATEHOUSE_HTTP_NAMES",
    read: readCertificateNames,
    whenUnset: [],
    shownDefault: "none",
    description:
      "More names, separated by commas, by which metrics, console and docs may be asked for on the plain port, such as a name that Prometheus scrapes: gate1.example.com. Addresses, names without a dot, .localhost, .local, .internal and .svc, the machine's name and the names in GATEHOUSE_PUBLIC_URL and GATEHOUSE_TLS_NAMES need not be listed.",
  },
  httpsPort: {
    name: "GATEHOUSE_HTTPS_PORT",
    read: (text: string) => readInteger(text, 0, 65_535),
    whenUnset: 8443,
    shownDefault: "8443",
    description: "Port of the API and the console, with TLS. 0: any free port.",
  },
  httpPort: {
    name: "GATEHOUSE_HTTP_PORT",
    read: (text: string) => readInteger(text, 0, 65_535),
    whenUnset: 8080,
    shownDefault: "8080",
    description:
      "Plain port for health checks, metrics and, from this machine only, console and docs. It refuses the API.",
  },
  https: {
    name: "GATEHOUSE_HTTPS",
    read: readSwitch,
    whenUnset: true,
    shownDefault: "on",
    description:
      "off: only the plain port is opened and no certificate is made, for use behind a proxy that ends TLS. Needs GATEHOUSE_TRUST_PROXY.",
  },
  publicUrl: {
    name: "GATEHOUSE_PUBLIC_URL",
    read: readOrigin,
    whenUnset: undefined,
    shownDefault: "the address it listens on",
    description:
      "The https origin that people and partners use, such as https://gatehouse.example.com, for links, curl lines, the OpenAPI document and the console's check of who sends a write.",
  },
  tlsCertificateFile: {
    name: "GATEHOUSE_TLS_CERT",
    read: readText,
    whenUnset: undefined,
    shownDefault: "generated",
    description:
      "PEM file with the certificate chain. Renewed files are picked up without a restart. Unset: a local authority and a certificate are made once in the data folder.",
  },
  tlsKeyFile: {
    name: "GATEHOUSE_TLS_KEY",
    read: readText,
    whenUnset: undefined,
    shownDefault: "generated",
    description: "PEM file with the certificate's private key.",
  },
  tlsNames: {
    name: "GATEHOUSE_TLS_NAMES",
    read: readCertificateNames,
    whenUnset: [],
    shownDefault: "this machine's own",
    description:
      "More names and addresses, separated by commas, for the generated certificate. It is issued anew by the same authority when it lacks one. The host of GATEHOUSE_PUBLIC_URL is in it as well.",
  },
  trustedProxies: {
    name: "GATEHOUSE_TRUST_PROXY",
    read: readProxies,
    whenUnset: [],
    shownDefault: "none",
    description:
      "Addresses or CIDR ranges, separated by commas, of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
  },
  connectionsPerAddress: {
    name: "GATEHOUSE_CONNECTIONS_PER_ADDRESS",
    read: (text: string) => readInteger(text, 0, 2_000),
    whenUnset: 256,
    shownDefault: "256",
    description:
      "Connections that one address (IPv6: one /64) may have at the same time, on each port. Trusted proxies are not counted. 0: no such limit, for a balancer that passes connections on and shows its own address.",
  },
  allowPlainHttp: {
    name: "GATEHOUSE_ALLOW_PLAIN_HTTP",
    read: readSwitch,
    whenUnset: false,
    shownDefault: "off",
    description:
      "on: the API answers over plain HTTP too. For local development only; warned about at every start.",
  },
} satisfies Partial<Variables>;
