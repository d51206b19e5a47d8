import type { Settings } from "./settings.js";
import { databaseVariables } from "./variables/database.js";
import { logVariables } from "./variables/log.js";
import { networkVariables } from "./variables/network.js";
import { serviceVariables } from "./variables/service.js";

/** How a variable is read, its default, and its description in the documentation. */
export interface Variable<Name extends keyof Settings> {
  name: string;
  /** Throws an Error whose message completes "NAME ...". */
  read(text: string): Settings[Name];
  whenUnset: Settings[Name];
  /** The default that the documentation shows. */
  shownDefault: string;
  description: string;
  /** The value never appears in messages. NAME_FILE can give it as the path of a file. */
  secret?: true;
}

export type Variables = { [Name in keyof Settings]: Variable<Name> };

/** In the order of the documentation. features.ts adds the features' variables before any is read. */
export const variables = {
  ...databaseVariables,
  ...networkVariables,
  ...serviceVariables,
  ...logVariables,
} as unknown as Variables;

/** The variables of one feature. */
export interface Environment {
  readonly variables: Partial<Variables>;
  /** Why the variables have no effect. Invalid values then only cause a warning. */
  readonly unusedBecause?: (texts: ReadonlyMap<string, string>, settings: Settings) => string | undefined;
  /** Problems between settings that are each valid. */
  readonly contradictions?: (given: GivenSettings) => string[];
}

export interface GivenSettings {
  readonly texts: ReadonlyMap<string, string>;
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
}

const added: Environment[] = [];

export function addEnvironment(environment: Environment): void {
  Object.assign(variables, environment.variables);
  added.push(environment);
}

export function addedContradictions(given: GivenSettings): string[] {
  return added.flatMap(({ contradictions }) => contradictions?.(given) ?? []);
}

/** Why this variable has no effect. Undefined: it has one. */
export function unusedBecause(name: string, { texts, settings }: GivenSettings): string | undefined {
  const owner = added.find(({ variables: all }) => Object.values(all).some((one) => one.name === name));
  return owner?.unusedBecause?.(texts, settings);
}

export const fileSuffix = "_FILE";

export function secretNames(): string[] {
  return Object.values(variables)
    .filter((variable) => variable.secret)
    .map(({ name }) => name);
}

/** All variable names that the service reads. */
export function knownNames(): Set<string> {
  return new Set([
    ...Object.values(variables).map(({ name }) => name),
    ...secretNames().map((name) => name + fileSuffix),
  ]);
}

export interface DescribedVariable {
  name: string;
  shownDefault: string;
  description: string;
  /** The variable for the path of a file with the value. Undefined: the value cannot come from a file. */
  fileName: string | undefined;
}

/** The rows of the configuration reference. */
export function describeConfig(): DescribedVariable[] {
  return Object.values(variables).map(({ name, shownDefault, description, secret }) => ({
    name,
    shownDefault,
    description,
    fileName: secret ? name + fileSuffix : undefined,
  }));
}
