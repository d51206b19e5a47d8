import { ConfigError } from "./config-error.js";
import { contradictions } from "./contradictions.js";
import { databaseProblems } from "./database-choice.js";
import { databaseFileProblems } from "./database-files.js";
import { withPassword } from "./database-url.js";
import { givenVariables } from "./given-variables.js";
import type { Config, Settings } from "./settings.js";
import { variables } from "./variables.js";

/** Reads the environment. All problems are reported together, before anything starts, and nothing falls back silently. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { texts, problems, warnings } = givenVariables(environment);
  const settings = readSettings(texts, problems);
  problems.push(...contradictions(texts, settings), ...databaseProblems(environment, texts, settings));
  if (settings.databaseUrl !== undefined) problems.push(...databaseFileProblems(settings.databaseUrl));
  if (problems.length > 0) throw new ConfigError(problems);

  const { databasePassword, embeddedDatabase: _decided, ...rest } = settings;
  const { databaseUrl } = rest;
  if (databaseUrl === undefined || databasePassword === undefined) return { ...rest, warnings };
  return { ...rest, databaseUrl: withPassword(databaseUrl, databasePassword), warnings };
}

/** What is not set, or cannot be read and is reported, has the meaning of an unset variable. */
function readSettings(texts: ReadonlyMap<string, string>, problems: string[]): Settings {
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  for (const [key, variable] of Object.entries(variables)) {
    const text = texts.get(variable.name);
    settings[key as keyof Settings] = variable.whenUnset;
    if (text === undefined) continue;
    try {
      settings[key as keyof Settings] = variable.read(text);
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`);
    }
  }
  return settings as Settings;
}
