import { accessSync, constants } from "node:fs";
import { databaseParameters } from "./database-url.js";

const fileParameters = ["sslrootcert", "sslcert", "sslkey"];

/** The certificates and the key that DATABASE_URL names are looked for before anything starts. */
export function databaseFileProblems(databaseUrl: string): string[] {
  const parameters = databaseParameters(databaseUrl);
  const problems = fileParameters.flatMap((parameter) => {
    const file = parameters.get(parameter);
    const problem = file ? problemOf(parameter, file) : undefined;
    return problem ? [`DATABASE_URL has ${parameter}=${file}, ${problem}`] : [];
  });
  if (parameters.has("sslcert") !== parameters.has("sslkey"))
    problems.push("DATABASE_URL must have both sslcert and sslkey, or neither");
  return problems;
}

function problemOf(parameter: string, file: string): string | undefined {
  // libpq's word for the authorities of the operating system; the driver would look for a file of this name.
  if (parameter === "sslrootcert" && file === "system")
    return "which it does not know. Leave it out: then the authorities that Node.js trusts are trusted";
  try {
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    return `which cannot be read: ${(error as Error).message}`;
  }
}
