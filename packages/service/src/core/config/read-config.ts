import { ConfigError } from "./config-error.js";
import { contradictions } from "./contradictions.js";
import { databaseProblems } from "./database-choice.js";
import { databaseFileProblems } from "./database-files.js";
import { withPassword } from "./database-url.js";
import { givenVariables } from "./given-variables.js";
import type { Config, Settings } from "./settings.js";
import { unusedBecause, variables } from "./variables.js";

/** Reads the environment. All problems are reported together, before anything starts, and nothing falls back silently. */
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
  if (problems.length > 0) throw new ConfigError(problems);

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

/** What is not set, or cannot be read and is reported, has the meaning of an unset variable. */
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
