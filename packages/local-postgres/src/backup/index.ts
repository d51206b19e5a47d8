export { isBackupOf, measureDatabase } from "./archive-reader.js";
export { backUp, findDataFolder, isWithin, type BackUpOptions, type BackUpReport } from "./back-up.js";
export { acquireLock } from "./base-backup.js";
export { explainFullDisk, type BackupKind } from "./manifest.js";
export {
  removeTemporaryRestore,
  restore,
  withTemporaryRestore,
  type RestoreOptions,
  type RestoreReport,
  type TemporaryRestoreOptions,
} from "./restore.js";
