import { Tabs } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useLocation, useParams } from "wouter";
import { useMayChange } from "../session/session.js";
import { Page } from "../ui/page.js";
import { NoSuchPage, NotAllowed, RowsLoading } from "../ui/states.js";

const ApiKeys = lazy(() => import("./api-keys/api-keys.js"));
const Forms = lazy(() => import("./forms.js"));
const Limits = lazy(() => import("./limits.js"));
const Retention = lazy(() => import("./retention.js"));
const Storage = lazy(() => import("./storage.js"));
const Members = lazy(() => import("./members.js"));
const Audit = lazy(() => import("./audit.js"));
const WholeExport = lazy(() => import("./whole-export.js"));

const forAdmins = [
  { value: "audit", label: "Audit log", panel: <Audit /> },
  { value: "export", label: "Export", panel: <WholeExport /> },
];

/** Organization Settings. Each tab has its own address. */
export default function SettingsPage() {
  const { tab } = useParams();
  const [, navigate] = useLocation();
  const mayChange = useMayChange();
  const tabs = [
    { value: "api-keys", label: "API Keys", panel: <ApiKeys /> },
    { value: "forms", label: "Captcha & forms", panel: <Forms /> },
    { value: "limits", label: "Limits", panel: <Limits /> },
    { value: "retention", label: "Retention", panel: <Retention /> },
    { value: "storage", label: "Storage", panel: <Storage /> },
    { value: "members", label: "Members", panel: <Members /> },
    ...(mayChange ? forAdmins : []),
  ];
  if (!tabs.some(({ value }) => value === tab))
    return forAdmins.some(({ value }) => value === tab) ? <NotAllowed /> : <NoSuchPage />;
  return (
    <Page title="Organization Settings">
      <Tabs
        value={tab}
        onChange={(value) => navigate(`/settings/${value ?? "api-keys"}`)}
        keepMounted={false}
      >
        <Tabs.List mb="md" style={{ flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" }}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value}>
            <Suspense fallback={<RowsLoading />}>{panel}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
