import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";

const ExportMenu = lazy(() => import("./exports.js").then((module) => ({ default: module.ExportMenu })));
const ExportEverything = lazy(() =>
  import("./exports.js").then((module) => ({ default: module.ExportEverything })),
);

export const exports: ConsoleFeature = {
  name: "exports",
  settingsTabs: [{ value: "export", label: "Export", panel: ExportEverything, order: 80, onlyAdmins: true }],
  slots: { listExport: ExportMenu },
};
