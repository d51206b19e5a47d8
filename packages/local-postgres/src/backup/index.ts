export { awaitTurn } from "./back-up.js";
export { backUp, findDataFolder, isWithin, type BackUpOptions, type BackUpReport } from "./back-up.js";
export type { BackupKind } from "./contents.js";
export { explainFullDisk } from "./manifest.js";
export { isBackupOf, measureDatabase } from "./archive-reader.js";
export { restore, type RestoreOptions, type RestoreReport } from "./restore.js";
export { removeTrial, tryRestore, type TrialOptions } from "./trial-restore.js";
