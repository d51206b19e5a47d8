import type { Settings } from "./settings.js";
import { databaseVariables } from "./variables/database.js";
import { logVariables } from "./variables/log.js";
import { networkVariables } from "./variables/network.js";
import { serviceVariables } from "./variables/service.js";

/** One variable: how it is read, what it means when it is not set, and what the documentation says of it. */
export interface Variable<Name extends keyof Settings> {
  name: string;
  /** Throws an Error whose message completes "NAME ...". */
  read(text: string): Settings[Name];
  whenUnset: Settings[Name];
  /** What the documentation shows as the default. */
  shownDefault: string;
  description: string;
  /** Never repeated in a message, and can be given as the path of a file in NAME_FILE. */
  secret?: true;
}

export type Variables = { [Name in keyof Settings]: Variable<Name> };

/** In the order of the documentation. Those of features are added by features.ts, before any is read. */
export const variables = {
  ...databaseVariables,
  ...networkVariables,
  ...serviceVariables,
  ...logVariables,
} as unknown as Variables;

/** The variables of one feature. */
export interface Environment {
  readonly variables: Partial<Variables>;
  /** Why the variables are not used at all; then those that cannot be read are only warned about. */
  readonly unusedBecause?: (texts: ReadonlyMap<string, string>, settings: Settings) => string | undefined;
  /** What is wrong with settings that are right one by one and do not fit together. */
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

/** Why this variable is not used. Undefined: it is. */
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

/** Every name that means something to the service. */
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
  /** The variable that takes the path of a file with the value instead; undefined where there is none. */
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
