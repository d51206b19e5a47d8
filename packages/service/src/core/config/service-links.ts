import { isIP } from "node:net";

/**
 * Kubernetes tells every pod where the Services of its namespace are, by variables that are called after the Service. A
 * Service called `gatehouse` makes GATEHOUSE_PORT=tcp://10.0.0.1:8443, GATEHOUSE_SERVICE_HOST and more; they say nothing
 * about our configuration. One called `gatehouse-http` even makes a GATEHOUSE_HTTP_PORT.
 */

const linkValue = /^(?:tcp|udp|sctp):\/\/[^/?#]{1,255}:\d{1,5}$/;
const portNumber = /^\d{1,5}$/;
const numberedPort = /_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(_PROTO|_PORT|_ADDR)?$/;

/** Whether the value of a variable that ends in _PORT is the address of a Service. */
export function isLinkToService(name: string, text: string): boolean {
  return name.endsWith("_PORT") && linkValue.test(text);
}

/** Whether both name and value are as Kubernetes makes them. */
export function isServiceLink(name: string, text: string): boolean {
  if (isLinkToService(name, text)) return true;
  if (name.endsWith("_SERVICE_HOST")) return isIP(text) !== 0;
  const [, part] = numberedPort.exec(name) ?? [undefined, "none"];
  switch (part) {
    case undefined:
      return linkValue.test(text);
    case "_PROTO":
      return /^(?:tcp|udp|sctp)$/i.test(text);
    case "_PORT":
      return portNumber.test(text);
    case "_ADDR":
      return isIP(text) !== 0;
    default:
      return isServicePort(name) && portNumber.test(text);
  }
}

/** GATEHOUSE_SERVICE_PORT, or with the name of the port behind it. */
function isServicePort(name: string): boolean {
  return /_SERVICE_PORT(?:_|$)/.test(name);
}
