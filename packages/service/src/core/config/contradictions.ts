import path from "node:path";
import type { Settings } from "./settings.js";

/** Settings that are right by themselves and do not fit together. */
export function contradictions(given: ReadonlyMap<string, string>, settings: Settings): string[] {
  const problems: string[] = [];
  const isGiven = (name: string): boolean => given.has(name);
  if (isGiven("GATEHOUSE_TLS_CERT") !== isGiven("GATEHOUSE_TLS_KEY"))
    problems.push("GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY must be set together");
  if (isGiven("GATEHOUSE_TLS_NAMES") && isGiven("GATEHOUSE_TLS_CERT"))
    problems.push(
      "GATEHOUSE_TLS_NAMES is for the generated certificate, and GATEHOUSE_TLS_CERT replaces it. Take one of them out",
    );
  if (isGiven("GATEHOUSE_OIDC_ISSUER") !== isGiven("GATEHOUSE_OIDC_CLIENT_ID"))
    problems.push("GATEHOUSE_OIDC_ISSUER and GATEHOUSE_OIDC_CLIENT_ID must be set together");
  if (isGiven("GATEHOUSE_OIDC_ISSUER") && !isGiven("GATEHOUSE_PUBLIC_URL"))
    problems.push("GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_URL: the provider sends people back there");
  problems.push(...backupContradictions(isGiven, settings));
  if (settings.https) {
    if (settings.httpsPort === settings.httpPort && settings.httpsPort !== 0)
      problems.push(
        `GATEHOUSE_HTTPS_PORT and GATEHOUSE_HTTP_PORT must differ, and both are ${settings.httpPort}`,
      );
    return problems;
  }
  if (!isGiven("GATEHOUSE_TRUST_PROXY") && !settings.allowPlainHttp)
    problems.push(
      "GATEHOUSE_HTTPS is off, so nobody could use the API. Name the proxies that end TLS in GATEHOUSE_TRUST_PROXY (or, for development, set GATEHOUSE_ALLOW_PLAIN_HTTP=on)",
    );
  for (const name of ["GATEHOUSE_TLS_CERT", "GATEHOUSE_TLS_NAMES"])
    if (isGiven(name)) problems.push(`${name} has no use with GATEHOUSE_HTTPS=off. Take one of them out`);
  return problems;
}

const backupFolder = "GATEHOUSE_BACKUP_DIR";
const backupDetails = ["EVERY", "AT", "KEEP", "VERIFY"].map((word) => `GATEHOUSE_BACKUP_${word}`);

function backupContradictions(
  isGiven: (name: string) => boolean,
  { backupDirectory, dataDirectory }: Settings,
): string[] {
  const given = [backupFolder, ...backupDetails].filter(isGiven);
  if (given.length === 0) return [];
  if (isGiven("DATABASE_URL"))
    return [
      `${given.join(", ")}: Gatehouse backs up only its embedded database by itself, and DATABASE_URL names a server of your own. Back that up with its own tools; docs/guide/backups.md says how ("Of a PostgreSQL of your own")`,
    ];
  const problems: string[] = [];
  if (backupDirectory === undefined)
    problems.push(`${given.join(", ")}: no backups are made without ${backupFolder}, the folder for them`);
  else if (isWithin(backupDirectory, dataDirectory))
    problems.push(
      `${backupFolder} lies in the data folder (GATEHOUSE_DATA_DIR), and backups would be lost together with it. Choose another place`,
    );
  if (isGiven("GATEHOUSE_BACKUP_AT") && isGiven("GATEHOUSE_BACKUP_EVERY"))
    problems.push(
      "GATEHOUSE_BACKUP_AT is for one backup a day, and GATEHOUSE_BACKUP_EVERY for any other interval. Take one of them out",
    );
  return problems;
}

/** By their names alone. Whoever makes a backup looks behind links. */
function isWithin(folder: string, other: string): boolean {
  const [inner, outer] = [path.resolve(folder), path.resolve(other)];
  return inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
}
