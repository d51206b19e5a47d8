export { backUp, type BackUpOptions, type BackUpReport } from "./back-up.js";
export type { BackupKind } from "./contents.js";
export { restore, type RestoreOptions, type RestoreReport } from "./restore.js";
