import { Tabs } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useLocation, useParams } from "wouter";
import { useFeatures, type SettingsTab } from "../features.js";
import { useMayChange } from "../session/session.js";
import { Page } from "../ui/page.js";
import { NoSuchPage, NotAllowed, RowsLoading } from "../ui/states.js";
import { texts } from "./texts.js";

const coreTabs: SettingsTab[] = [
  {
    value: "api-keys",
    label: texts.tabs.apiKeys,
    panel: lazy(() => import("../api-keys/api-key-list.js")),
    order: 10,
  },
  { value: "forms", label: texts.tabs.forms, panel: lazy(() => import("./form-settings.js")), order: 20 },
  { value: "limits", label: texts.tabs.limits, panel: lazy(() => import("./rate-limits.js")), order: 30 },
  { value: "members", label: texts.tabs.members, panel: lazy(() => import("./members.js")), order: 60 },
  {
    value: "audit",
    label: texts.tabs.audit,
    panel: lazy(() => import("../audit/audit-log.js")),
    order: 70,
    onlyAdmins: true,
  },
];

/** On a phone, the tabs are wider than the screen. */
function scrollToTab(list: HTMLElement | null, position: number): void {
  const tab = list?.children.item(position);
  if (list && tab instanceof HTMLElement)
    list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
}

/** Organization Settings. Each tab has its own address. */
export default function SettingsPage() {
  const { tab } = useParams();
  const [, navigate] = useLocation();
  const mayChange = useMayChange();
  const tabList = useRef<HTMLDivElement>(null);
  const all = [...coreTabs, ...useFeatures().flatMap(({ settingsTabs = [] }) => settingsTabs)];
  const tabs = all
    .filter(({ onlyAdmins }) => mayChange || !onlyAdmins)
    .toSorted((one, other) => one.order - other.order);
  const position = tabs.findIndex(({ value }) => value === tab);
  useEffect(() => scrollToTab(tabList.current, position), [tabList, position]);
  if (position === -1) return all.some(({ value }) => value === tab) ? <NotAllowed /> : <NoSuchPage />;
  return (
    <Page title={texts.title}>
      <Tabs
        value={tab}
        onChange={(value) => navigate(`/settings/${value ?? "api-keys"}`)}
        keepMounted={false}
      >
        <Tabs.List
          ref={tabList}
          mb="md"
          style={{ flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" }}
        >
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, panel: Content }) => (
          <Tabs.Panel key={value} value={value}>
            <Suspense fallback={<RowsLoading />}>
              <Content />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
