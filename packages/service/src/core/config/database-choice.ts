import { hasPassword } from "./database-url.js";
import type { Settings } from "./settings.js";
import { editDistance } from "./spelling.js";
import { fileSuffix } from "./variables.js";

/**
 * Which database is meant. A mistake would make a new and empty one, take imports into it and lose them with the
 * machine. So whoever seems to have meant a server of their own is asked, and the embedded one starts only where nothing
 * speaks against it, or by choice.
 */

const url = "DATABASE_URL";
const choose =
  "Set DATABASE_URL=postgres://user@host:5432/name, or GATEHOUSE_EMBEDDED_DATABASE=on for a PostgreSQL server of Gatehouse's own in the data folder";
/** Names that other programs use for the same thing; they count if a PostgreSQL address is in them. */
const otherNames = /^(?:DATABASE|DB|PG|POSTGRES|POSTGRESQL)_?(?:URL|URI|DSN|CONNECTION_STRING)$/;
/** Variables of PostgreSQL's own tools that say where a server is. */
const serverNames = ["PGHOST", "PGHOSTADDR", "PGSERVICE"];
const maxMistypedLetters = 2;

export function databaseProblems(
  environment: NodeJS.ProcessEnv,
  given: ReadonlyMap<string, string>,
  { databaseUrl, embeddedDatabase }: Settings,
): string[] {
  const hasOwnPassword = given.has("GATEHOUSE_DATABASE_PASSWORD");
  if (given.has(url)) {
    const problems: string[] = [];
    if (embeddedDatabase)
      problems.push(`${url} is set and GATEHOUSE_EMBEDDED_DATABASE is on. Choose one: unset the other`);
    if (hasOwnPassword && databaseUrl !== undefined && hasPassword(databaseUrl))
      problems.push(
        `${url} has a password, and GATEHOUSE_DATABASE_PASSWORD is set too. Take one of them out`,
      );
    return problems;
  }
  // A file that could not be read has been reported.
  if (isSet(environment[url + fileSuffix])) return [];
  const problems = hasOwnPassword ? [`GATEHOUSE_DATABASE_PASSWORD is set, but ${url} is not`] : [];
  return embeddedDatabase ? problems : [...problems, ...whatSpeaksAgainst(environment, embeddedDatabase)];
}

function whatSpeaksAgainst(environment: NodeJS.ProcessEnv, embeddedDatabase: boolean | undefined): string[] {
  for (const name of [url, url + fileSuffix])
    if (environment[name] !== undefined) return [`${name} is set but empty. ${choose}`];
  const meant = Object.keys(environment).find((name) => seemsToMeanUrl(name, environment[name]));
  if (meant !== undefined)
    return [`${meant} is set, but ${url} is the variable that Gatehouse reads. ${choose}`];
  if (embeddedDatabase === false)
    return [`GATEHOUSE_EMBEDDED_DATABASE is off and ${url} is not set. ${choose}`];
  return [];
}

function seemsToMeanUrl(name: string, text: string | undefined): boolean {
  // Unknown names that begin with ours are reported in any case.
  if (!isSet(text) || name.startsWith("GATEHOUSE_")) return false;
  const upper = name.toUpperCase();
  return (
    serverNames.includes(name) ||
    (otherNames.test(upper) && /^postgres(?:ql)?:\/\//.test(text)) ||
    [url, url + fileSuffix].some((right) => editDistance(upper, right) <= maxMistypedLetters)
  );
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
