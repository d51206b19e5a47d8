/** What the server has in the data folder, beside what the product keeps there. */
export const clusterFolder = "postgres";
export const passwordFile = "postgres.password";
export const serverLogFile = "postgres.log";
/** A cluster that is being made. */
export const workshopPrefix = "postgres.new-";
/** The folder that a restore unpacks into, before all of it is moved into place. */
export const unfinishedRestorePrefix = "restore.new-";
