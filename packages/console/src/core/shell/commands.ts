import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { request } from "../api/client.js";
import { type Command, type PageCommand, useFeatures } from "../features.js";
import { useEnterSession, useMayChange, useOptionalOrganization, useSession } from "../session/session.js";
import { useSettingsTabs } from "../settings/settings-tabs.js";
import { IconLogout, IconMoon, IconPlus, IconSettings, IconShieldLock, IconSun } from "../ui/icons.js";
import { useNavigation } from "./navigation.js";
import { texts } from "./texts.js";

const organizationCommands: PageCommand[] = [
  { label: texts.commands.createKey, to: "/settings/api-keys?dialog=create", onlyAdmins: true },
  { label: texts.commands.invite, to: "/settings/members?dialog=invite", onlyAdmins: true },
  { label: texts.commands.addLocation, to: "/locations/new", onlyAdmins: true },
  { label: texts.commands.importLocations, to: "/locations/import", onlyAdmins: true },
];
const operatorCommands: PageCommand[] = [
  { label: texts.commands.createOrganization, to: "~/organizations?dialog=create" },
];

/** Everything that the search box can go to or do. */
export function useCommands(): { pages: Command[]; actions: Command[] } {
  const organization = useOptionalOrganization();
  const { user } = useSession();
  const mayChange = useMayChange();
  const features = useFeatures();
  const { tabs } = useSettingsTabs();
  const { account, signOut, theme } = useUserCommands();
  const pages: Command[] = useNavigation().flatMap(({ entries }) =>
    entries.map(({ to, label, icon }) => ({ key: to, to, label, icon })),
  );
  if (organization)
    pages.push(
      ...tabs.map(({ value, label }) => ({
        key: `/settings/${value}`,
        to: `/settings/${value}`,
        label: texts.commands.settingsTab(label),
        icon: IconSettings,
      })),
    );
  const actions = [
    ...(organization ? [...organizationCommands, ...features.flatMap(({ commands = [] }) => commands)] : []),
    ...(user.isOperator ? operatorCommands : []),
  ]
    .filter(({ onlyAdmins }) => mayChange || !onlyAdmins)
    .map(({ label, to }) => ({ key: to, label, to, icon: IconPlus }));
  return { pages: [...pages, account], actions: [...actions, theme, signOut] };
}

/** In the user menu as well. */
export function useUserCommands() {
  const enter = useEnterSession();
  // Suspending transitions would add a style element, which the content policy refuses.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const isDark = useComputedColorScheme("light") === "dark";
  const { mutate } = useMutation({ mutationFn: () => request("signOut"), onSuccess: () => enter(null) });
  return {
    account: { key: "account", label: texts.userMenu.account, icon: IconShieldLock, to: "~/account" },
    theme: {
      key: "theme",
      label: isDark ? texts.userMenu.lightMode : texts.userMenu.darkMode,
      icon: isDark ? IconSun : IconMoon,
      run: () => setColorScheme(isDark ? "light" : "dark"),
    },
    signOut: { key: "sign out", label: texts.userMenu.signOut, icon: IconLogout, run: () => mutate() },
  };
}
