import path from "node:path";

/** The names that messages use: of the program, its variables and its commands. */
export interface Product {
  /** For example Gatehouse. */
  name: string;
  /** Lower case. Names the role, the database, the connections, the backups and the command. */
  identifier: string;
  /** The variable that names the data folder. */
  folderVariable: string;
  /** The variable with the URL of an external server. */
  serverVariable: string;
  /** The command that makes a new, empty database. */
  createCommand: string;
}

export function missingDatabase(dataDirectory: string, product: Product): Error {
  const { name, folderVariable, createCommand } = product;
  return new Error(
    `There is no database in ${path.resolve(dataDirectory)}. Run the command in the folder where ${name} runs, ` +
      `or set ${folderVariable}. To create a new database, run: ${createCommand}`,
  );
}

/** Advice for messages about a local server that does not run. */
export function otherServer({ serverVariable }: Product): string {
  return `set ${serverVariable} to a PostgreSQL server`;
}
