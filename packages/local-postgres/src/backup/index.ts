export { awaitTurn } from "./await-turn.js";
export { backUp, findDataFolder, isWithin, type BackUpOptions, type BackUpReport } from "./back-up.js";
export type { BackupKind } from "./contents.js";
export { explainFullDisk } from "./full-disk.js";
export { isBackupOf, measureDatabase } from "./look-at.js";
export { restore, type RestoreOptions, type RestoreReport } from "./restore.js";
export { removeTrial, tryRestore, type TrialOptions } from "./trial-restore.js";
