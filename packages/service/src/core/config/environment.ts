import { nearestNames } from "./spelling.js";
import { fileSuffix, knownNames, secretNames, variables } from "./variables.js";
import { closeSync, openSync, readSync } from "node:fs";
import { isIP } from "node:net";

/** The service's variables in the environment, and the problems found in them. */
export interface GivenVariables {
  /** The values of all set variables, given directly or through a file. */
  texts: Map<string, string>;
  problems: string[];
  warnings: string[];
}

const ourPrefix = "GATEHOUSE_";
/** Variables of gatehouse-push, which may be set in the same shell. */
const clientVariables = new Set(["GATEHOUSE_URL", "GATEHOUSE_API_KEY"]);

/** An empty variable counts as unset, because compose files pass unset variables on as empty. */
export function givenVariables(environment: NodeJS.ProcessEnv): GivenVariables {
  const texts = new Map<string, string>();
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const { name } of Object.values(variables)) {
    const text = environment[name] ?? "";
    if (isLinkToService(name, text)) warnings.push(`${name}=${text} ${isOfKubernetes}`);
    else if (text.trim() !== "") texts.set(name, text);
  }
  for (const name of secretNames()) {
    const file = environment[name + fileSuffix] ?? "";
    if (file.trim() === "") continue;
    try {
      if (texts.has(name)) throw new Error(`and ${name} are both set. Unset one of them`);
      texts.set(name, readSecretFile(file));
    } catch (error) {
      problems.push(`${name}${fileSuffix} ${(error as Error).message}`);
    }
  }
  return { texts, problems: [...problems, ...unknownVariables(environment)], warnings };
}

const isOfKubernetes =
  "is the address of a Kubernetes Service and not a setting, so the default is used. To keep such variables away, set enableServiceLinks: false in the pod, or rename the Service";

/**
 * An unknown variable with the GATEHOUSE_ prefix is probably a misspelling, whose setting would silently have no
 * effect.
 */
function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = knownNames();
  return Object.entries(environment)
    .filter(
      ([name, text]) =>
        name.startsWith(ourPrefix) &&
        !known.has(name) &&
        !clientVariables.has(name) &&
        !isServiceLink(name, text ?? ""),
    )
    .map(([name]) => {
      const meant = nearestNames(name, known).join(" or ");
      return `${name} is not a variable of Gatehouse${meant === "" ? "" : `. Did you mean ${meant}?`}`;
    });
}

/** Secrets are shorter than this. A larger file is probably the wrong one. */
const maxSecretFileBytes = 64 * 1024;

/** Reads a secret that Docker or Kubernetes mounts as a file. A final newline is removed, because editors add one. */
export function readSecretFile(file: string): string {
  const bytes = readBounded(file);
  if (bytes.length > maxSecretFileBytes)
    throw new Error(`names ${file}, which is larger than any secret (${maxSecretFileBytes} bytes)`);
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  if (text.trim() === "") throw new Error(`names ${file}, which is empty`);
  return text;
}

/** The path may lead to a pipe or a device, so the size is known only after reading. */
function readBounded(file: string): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const buffer = Buffer.alloc(maxSecretFileBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  } catch (error) {
    throw new Error(`names ${file}, which cannot be read: ${(error as Error).message}`, { cause: error });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Kubernetes sets variables in every pod for each Service of the namespace, named after the Service. A Service called
 * `gatehouse` sets GATEHOUSE_PORT=tcp://10.0.0.1:8443, GATEHOUSE_SERVICE_HOST and others, which are not configuration.
 * One called `gatehouse-http` even sets GATEHOUSE_HTTP_PORT.
 */

const linkValue = /^(?:tcp|udp|sctp):\/\/[^/?#]{1,255}:\d{1,5}$/;
const portNumber = /^\d{1,5}$/;
const numberedPort = /_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(_PROTO|_PORT|_ADDR)?$/;

/** Whether the value of a variable ending in _PORT is a Service address. */
export function isLinkToService(name: string, text: string): boolean {
  return name.endsWith("_PORT") && linkValue.test(text);
}

/** Whether Kubernetes has set this variable for a Service. */
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

/** GATEHOUSE_SERVICE_PORT, optionally followed by the name of the port. */
function isServicePort(name: string): boolean {
  return /_SERVICE_PORT(?:_|$)/.test(name);
}
