import type {
  ConsoleApiKey,
  LeadDetail,
  RunDetail,
  RunResult,
  SavedList,
  Upload,
  UploadDetail,
} from "@gatehouse-parking/contract/console";
import { createContext, Suspense, useContext, useMemo, type ComponentType, type ReactNode } from "react";
import type { QueryParameters } from "./api/client.js";
import type { ExportRoute } from "./lists/list.js";
import { useSession, type CurrentOrganization } from "./session/session.js";
import type { Icon } from "./ui/icons.js";
import type { LazyPage } from "./ui/lazy-page.js";

/** Everything that one feature adds to the console. The core renders it without importing the feature. */
export interface ConsoleFeature {
  /** As in the session's `features`: the feature is shown only if the service has registered it. */
  name: string;
  /** Pages of an organization. */
  routes?: readonly FeatureRoute[];
  /** Pages for operators, outside of any organization. */
  operatorRoutes?: readonly FeatureRoute[];
  navigation?: readonly NavigationEntry[];
  /** In the side menu of operators, outside of any organization. */
  operatorNavigation?: readonly NavigationEntry[];
  /** What the search box offers to do. */
  commands?: readonly PageCommand[];
  settingsTabs?: readonly SettingsTab[];
  /** The nouns of its actions in the audit log, with what people call them. */
  auditSubjects?: Readonly<Record<string, string>>;
  slots?: { [Name in SlotName]?: ComponentType<SlotProps[Name]> };
}

export interface FeatureRoute {
  path: string;
  page: LazyPage;
  /** Viewers see that they lack the permission. */
  onlyAdmins?: boolean;
}

export interface NavigationEntry {
  to: string;
  label: string;
  icon: Icon;
  group: "start" | "manage";
  /** Entries of a group are sorted by it. */
  order: number;
  /** Shown beside the label. */
  mark?: ComponentType;
  isShown?: (organization: CurrentOrganization) => boolean;
}

/** An entry of the search box: goes to an address, or runs. */
export interface Command {
  key: string;
  label: string;
  icon?: Icon;
  to?: string;
  run?: () => void;
}

/** An action that begins on a page. */
export interface PageCommand {
  label: string;
  to: string;
  onlyAdmins?: boolean;
}

export interface SettingsTab {
  value: string;
  label: string;
  panel: LazyPage;
  /** Tabs are sorted by it. */
  order: number;
  onlyAdmins?: boolean;
}

/** The places where features add to pages that are not theirs, with what each place passes on. */
export interface SlotProps {
  /** Options of the search box for what was typed. */
  searchResults: { text: string };
  importActions: { run: RunDetail };
  importNotices: { run: RunDetail };
  /** Shown where nothing has been imported yet. */
  firstImport: { variant?: "default" };
  /** Below a list that is empty in a new organization. */
  firstSteps: object;
  requestLink: { requestId: string };
  undoneBadge: object;
  resultMark: { result: RunResult };
  listViews: { list: SavedList };
  listExport: ExportRoute & { query: QueryParameters; size?: "xs" | "sm" };
  leadActions: { lead: LeadDetail };
  apiKeyPanels: { apiKey: ConsoleApiKey };
  uploadActions: { upload: Upload };
  uploadNotices: { upload: UploadDetail };
}
type SlotName = keyof SlotProps;

const FeaturesContext = createContext<readonly ConsoleFeature[]>([]);

export function FeaturesProvider({
  features,
  children,
}: {
  /** All that the console knows, of which the service may lack some. */
  features: readonly ConsoleFeature[];
  children: ReactNode;
}) {
  const { features: registered } = useSession();
  const shown = useMemo(
    () => features.filter(({ name }) => registered.includes(name)),
    [features, registered],
  );
  return <FeaturesContext value={shown}>{children}</FeaturesContext>;
}

export function useFeatures(): readonly ConsoleFeature[] {
  return useContext(FeaturesContext);
}

/** For links from one feature's page to another's. */
export function useHasFeature(name: string): boolean {
  return useFeatures().some((feature) => feature.name === name);
}

/** What the features add in this place, in the order of features.ts. */
export function Slot<Name extends SlotName>({
  name,
  props,
  fallback = null,
}: {
  name: Name;
  props: SlotProps[Name];
  /** Shown if no feature adds anything. */
  fallback?: ReactNode;
}) {
  const filled = useFeatures().flatMap((feature) => {
    const Content = feature.slots?.[name] as ComponentType<SlotProps[Name]> | undefined;
    return Content ? [{ feature: feature.name, Content }] : [];
  });
  if (filled.length === 0) return fallback;
  return (
    <Suspense fallback={null}>
      {filled.map(({ feature, Content }) => (
        <Content key={feature} {...props} />
      ))}
    </Suspense>
  );
}
