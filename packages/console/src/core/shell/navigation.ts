import { type NavigationEntry, useFeatures } from "../features.js";
import { NewLeadCount } from "./new-lead-count.js";
import { kinds, recordKinds } from "../records/record-kinds.js";
import { useOptionalOrganization, useSession } from "../session/session.js";
import { IconBuildingSkyscraper, IconFileImport, IconInbox, IconMapPin, IconSettings } from "../ui/icons.js";
import { texts } from "./texts.js";

export type Destination = Pick<NavigationEntry, "to" | "label" | "icon" | "mark">;

const coreEntries: NavigationEntry[] = [
  { to: "/imports", label: texts.navigation.imports, icon: IconFileImport, group: "start", order: 20 },
  {
    to: "/leads",
    label: texts.navigation.leads,
    icon: IconInbox,
    group: "start",
    order: 40,
    mark: NewLeadCount,
  },
  { to: "/locations", label: texts.navigation.locations, icon: IconMapPin, group: "manage", order: 10 },
  { to: "/settings", label: texts.navigation.settings, icon: IconSettings, group: "manage", order: 50 },
];

const operatorEntries: NavigationEntry[] = [
  {
    to: "/organizations",
    label: texts.navigation.organizations,
    icon: IconBuildingSkyscraper,
    group: "start",
    order: 20,
  },
];

interface Group {
  title?: string;
  entries: readonly Destination[];
}

/** The side menu: the pages of the organization, or those of operators. */
export function useNavigation(): readonly Group[] {
  const organization = useOptionalOrganization();
  const { user } = useSession();
  const features = useFeatures();
  const entries = organization
    ? [...coreEntries, ...features.flatMap(({ navigation = [] }) => navigation)].filter(
        ({ isShown }) => isShown?.(organization) ?? true,
      )
    : user.isOperator
      ? [...operatorEntries, ...features.flatMap(({ operatorNavigation = [] }) => operatorNavigation)]
      : [];
  const inGroup = (wanted: NavigationEntry["group"]) =>
    entries.filter(({ group }) => group === wanted).toSorted((one, other) => one.order - other.order);
  const records = {
    title: texts.navigation.records,
    entries: recordKinds.map((kind) => ({
      to: `/records/${kind}`,
      label: kinds[kind].plural,
      icon: kinds[kind].icon,
    })),
  };
  return [
    { entries: inGroup("start") },
    ...(organization ? [records] : []),
    { title: texts.navigation.manage, entries: inGroup("manage") },
  ].filter((group) => group.entries.length > 0);
}
