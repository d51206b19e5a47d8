import { configError } from "../operator-error.js";
import { databaseProblems, databaseFileProblems, withPassword } from "./database.js";
import { givenVariables } from "./environment.js";
import type { Config, Settings } from "./settings.js";
import { unusedBecause, variables, addedContradictions, type GivenSettings } from "./variables.js";

/**
 * Reads the environment. All problems are reported together before the service starts. Invalid values never fall back
 * to a default.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { texts, problems, warnings } = givenVariables(environment);
  const { settings, unreadable } = readSettings(texts);
  const given = { texts, settings, environment };
  for (const { name, problem } of unreadable) {
    const reason = unusedBecause(name, given);
    if (reason === undefined) problems.push(`${name} ${problem}`);
    else warnings.push(`${name} ${problem}. It is not used, because ${reason}`);
  }
  problems.push(...contradictions(given), ...databaseProblems(environment, texts, settings));
  if (settings.databaseUrl !== undefined) problems.push(...databaseFileProblems(settings.databaseUrl));
  if (problems.length > 0) throw configError(problems);

  const { databasePassword, embeddedDatabase: _decided, ...rest } = settings;
  const { databaseUrl } = rest;
  if (databaseUrl === undefined || databasePassword === undefined) return { ...rest, warnings };
  return { ...rest, databaseUrl: withPassword(databaseUrl, databasePassword), warnings };
}

interface Unreadable {
  name: string;
  /** Completes "NAME ...". */
  problem: string;
}

/** Variables that are unset, or invalid and already reported, get their default. */
function readSettings(texts: ReadonlyMap<string, string>): { settings: Settings; unreadable: Unreadable[] } {
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const unreadable: Unreadable[] = [];
  for (const [key, { name, read, whenUnset }] of Object.entries(variables)) {
    const text = texts.get(name);
    settings[key as keyof Settings] = whenUnset;
    if (text === undefined) continue;
    try {
      settings[key as keyof Settings] = read(text);
    } catch (error) {
      unreadable.push({ name, problem: (error as Error).message });
    }
  }
  return { settings: settings as Settings, unreadable };
}

/** Settings that are each valid but contradict each other. */
export function contradictions(given: GivenSettings): string[] {
  const { texts, settings } = given;
  const problems: string[] = [];
  const isGiven = (name: string): boolean => texts.has(name);
  if (isGiven("GATEHOUSE_TLS_CERT") !== isGiven("GATEHOUSE_TLS_KEY"))
    problems.push("GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY must be set together");
  if (isGiven("GATEHOUSE_TLS_NAMES") && isGiven("GATEHOUSE_TLS_CERT"))
    problems.push(
      "GATEHOUSE_TLS_NAMES is for the generated certificate, and GATEHOUSE_TLS_CERT replaces it. Unset one of them",
    );
  problems.push(...addedContradictions(given));
  if (settings.https) {
    if (settings.httpsPort === settings.httpPort && settings.httpsPort !== 0)
      problems.push(
        `GATEHOUSE_HTTPS_PORT and GATEHOUSE_HTTP_PORT must differ, and both are ${settings.httpPort}`,
      );
    return problems;
  }
  if (!isGiven("GATEHOUSE_TRUST_PROXY") && !settings.allowPlainHttp)
    problems.push(
      "GATEHOUSE_HTTPS is off, so the API would be unreachable. Name the proxies that end TLS in GATEHOUSE_TRUST_PROXY (or, for development, set GATEHOUSE_ALLOW_PLAIN_HTTP=on)",
    );
  for (const name of ["GATEHOUSE_TLS_CERT", "GATEHOUSE_TLS_NAMES"])
    if (isGiven(name)) problems.push(`${name} has no use with GATEHOUSE_HTTPS=off. Unset one of them`);
  return problems;
}
