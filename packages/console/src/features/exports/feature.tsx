import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";

const load = () => import("./exports.js");
const panel = lazyPage(async () => ({ default: (await load()).ExportEverything }));

export const exports: ConsoleFeature = {
  name: "exports",
  settingsTabs: [{ value: "export", label: "Export", panel, order: 80, onlyAdmins: true }],
  slots: { listExport: lazy(async () => ({ default: (await load()).ExportMenu })) },
};
