import path from "node:path";

/** The product whose data the server holds: what its people call things, for messages that tell them what to do. */
export interface Product {
  /** As in "Run Gatehouse as an ordinary user". */
  name: string;
  /** Names the role, the database, the connections, the backups and the command: small letters only. */
  identifier: string;
  /** The variable that names the data folder. */
  folderVariable: string;
  /** The variable that names a server of the operator's own, to be used instead of this one. */
  serverVariable: string;
  /** The command that makes a new, empty database. */
  createCommand: string;
}

/** For a data folder without a database, where none may be made. */
export function missingDatabase(dataDirectory: string, product: Product): Error {
  const { name, folderVariable, createCommand } = product;
  return new Error(
    `There is no database in ${path.resolve(dataDirectory)}. Run the command in the folder where ${name} runs, ` +
      `or set ${folderVariable}. To create a new database, run: ${createCommand}`,
  );
}

/** What helps wherever the local server does not run. */
export function otherServer({ serverVariable }: Product): string {
  return `set ${serverVariable} to a PostgreSQL server`;
}
