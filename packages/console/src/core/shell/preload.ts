import type { ConsoleFeature, FeatureRoute } from "../features.js";
import { coreTabs } from "../settings/settings-tabs.js";
import { coreRoutes } from "./core-routes.js";

/** Loads the code of the page at this address. */
export function preloadPage(features: readonly ConsoleFeature[], address: string): void {
  const [isInside, path = "/"] = /^\/organizations\/[^/]+(\/.*)?$/.exec(address) ?? [];
  const routes: FeatureRoute[] = isInside
    ? [...coreRoutes, ...features.flatMap((feature) => feature.routes ?? [])]
    : features.flatMap((feature) => feature.operatorRoutes ?? []);
  const found = routes.find((route) => matches(route.path, isInside ? path : address));
  found?.page.preload();
  const tabs = [...coreTabs, ...features.flatMap((feature) => feature.settingsTabs ?? [])];
  tabs.find(({ value }) => path === `/settings/${value}`)?.panel.preload();
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment.startsWith(":") || segment === given[index])
  );
}
