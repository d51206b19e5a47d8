import { useFeatures, type SettingsTab } from "../features.js";
import { useMayChange } from "../session/session.js";
import { lazyPage } from "../ui/lazy-page.js";
import { texts } from "./texts.js";

export const coreTabs: SettingsTab[] = [
  { value: "general", label: texts.tabs.general, panel: lazyPage(() => import("./general.js")), order: 5 },
  {
    value: "api-keys",
    label: texts.tabs.apiKeys,
    panel: lazyPage(() => import("../api-keys/api-key-list.js")),
    order: 10,
  },
  { value: "forms", label: texts.tabs.forms, panel: lazyPage(() => import("./form-settings.js")), order: 20 },
  { value: "limits", label: texts.tabs.limits, panel: lazyPage(() => import("./rate-limits.js")), order: 30 },
  { value: "members", label: texts.tabs.members, panel: lazyPage(() => import("./members.js")), order: 60 },
  {
    value: "audit",
    label: texts.tabs.audit,
    panel: lazyPage(() => import("../audit/audit-log.js")),
    order: 70,
    onlyAdmins: true,
  },
];

/** `tabs` are those that the user may see. */
export function useSettingsTabs() {
  const mayChange = useMayChange();
  const all = [...coreTabs, ...useFeatures().flatMap(({ settingsTabs = [] }) => settingsTabs)];
  const tabs = all
    .filter(({ onlyAdmins }) => mayChange || !onlyAdmins)
    .toSorted((one, other) => one.order - other.order);
  return { all, tabs };
}
