import { Tabs } from "@mantine/core";
import { Suspense, useEffect, useRef } from "react";
import { useLocation, useParams } from "wouter";
import { Page, PanelLoading } from "../ui/page.js";
import { NoSuchPage, NotAllowed } from "../ui/states.js";
import { useSettingsTabs } from "./settings-tabs.js";
import { texts } from "./texts.js";

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
  const tabList = useRef<HTMLDivElement>(null);
  const { all, tabs } = useSettingsTabs();
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
          {tabs.map(({ value, label, panel }) => (
            <Tabs.Tab key={value} value={value} onPointerEnter={panel.preload}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, panel: Content }) => (
          <Tabs.Panel key={value} value={value}>
            <Suspense fallback={<PanelLoading />}>
              <Content />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
