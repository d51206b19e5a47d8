import { expect, test } from "vitest";
import { problemsOf } from "../../../testing/config-problems.js";
import { readConfig } from "../config.js";

/** The variables that Kubernetes sets in every pod of a namespace with this Service. */
function serviceLinks(service: string, address: string, port: number): Record<string, string> {
  const name = service.toUpperCase().replaceAll("-", "_");
  const host = address.includes(":") ? `[${address}]` : address;
  return {
    [`${name}_SERVICE_HOST`]: address,
    [`${name}_SERVICE_PORT`]: String(port),
    [`${name}_SERVICE_PORT_HTTPS_WEB`]: String(port),
    [`${name}_PORT`]: `tcp://${host}:${port}`,
    [`${name}_PORT_${port}_TCP`]: `tcp://${host}:${port}`,
    [`${name}_PORT_${port}_TCP_PROTO`]: "tcp",
    [`${name}_PORT_${port}_TCP_PORT`]: String(port),
    [`${name}_PORT_${port}_TCP_ADDR`]: address,
  };
}

test.each(["gatehouse", "gatehouse-metrics", "gatehouse-https-port", "gatehouse-7"])(
  "the variables of a Service called %s are ignored",
  (service) => {
    for (const address of ["10.96.0.17", "fd00:10:96::17"])
      expect(readConfig(serviceLinks(service, address, 8443))).toEqual(readConfig({}));
  },
);

test.each([
  ["gatehouse-http", "GATEHOUSE_HTTP_PORT", { httpPort: 8080 }],
  ["gatehouse-https", "GATEHOUSE_HTTPS_PORT", { httpsPort: 8443 }],
])("a Service called %s is not taken for our %s, and is warned about", (service, variable, port) => {
  const config = readConfig(serviceLinks(service, "10.96.0.17", 9000));
  expect(config).toMatchObject(port);
  expect(config.warnings).toEqual([expect.stringContaining(`${variable}=tcp://10.96.0.17:9000`)]);
  expect(config.warnings[0]).toContain("enableServiceLinks: false");
});

test.each([
  ["GATEHOUSE_PORT", "8443", "GATEHOUSE_HTTP_PORT or GATEHOUSE_HTTPS_PORT?"],
  ["GATEHOUSE_SERVICE_HOST", "gatehouse.example.com", "GATEHOUSE_HOST?"],
  ["GATEHOUSE_HTTP_PROT", "9000", "GATEHOUSE_HTTP_PORT?"],
  ["GATEHOUSE_DATABASE_URL", "postgres://db", "DATABASE_URL?"],
  ["GATEHOUSE_TLS_KEY_FILE", "key.pem", "GATEHOUSE_TLS_KEY?"],
  ["GATEHOUSE_LOG_LEVEL", "debug", "LOG_LEVEL?"],
  ["GATEHOUSE_DRAIN_SECOND", "5", "GATEHOUSE_DRAIN_SECONDS?"],
  ["GATEHOUSE_SECRET_KEY_FLIE", "key", "GATEHOUSE_SECRET_KEY_FILE?"],
  ["GATEHOUSE_COLOUR_OF_THE_DOOR", "red", "of Gatehouse"],
])("%s=%s is still an error, and says what was probably meant", (name, text, suggestion) => {
  const problems = problemsOf({ [name]: text });
  expect(problems).toEqual([expect.stringContaining(`${name} is not a variable of Gatehouse`)]);
  expect(problems[0]).toContain(suggestion);
});
