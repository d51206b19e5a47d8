import { posix, win32 } from "node:path";

/** Executable names of Chrome, Chromium and Edge on PATH. */
export function usualNames(platform: NodeJS.Platform): string[] {
  if (platform === "win32") return ["chrome.exe", "chromium.exe", "msedge.exe"];
  return [
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
  ];
}

/** Where installers put them outside PATH. */
export function usualPlaces(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string[] {
  if (platform === "win32") return windowsPlaces(environment);
  if (platform === "darwin") return macPlaces(environment);
  return [
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/snap/bin/chromium",
    "/opt/microsoft/msedge/msedge",
  ];
}

function macPlaces(environment: NodeJS.ProcessEnv): string[] {
  const folders = ["/Applications"];
  if (environment["HOME"]) folders.push(posix.join(environment["HOME"], "Applications"));
  return ["Google Chrome", "Chromium", "Microsoft Edge"].flatMap((name) =>
    folders.map((folder) => posix.join(folder, `${name}.app`, "Contents", "MacOS", name)),
  );
}

function windowsPlaces(environment: NodeJS.ProcessEnv): string[] {
  const folders = [
    environment["PROGRAMFILES"],
    environment["PROGRAMFILES(X86)"],
    environment["LOCALAPPDATA"],
  ].filter((folder) => folder !== undefined);
  return [
    ["Google", "Chrome", "Application", "chrome.exe"],
    ["Chromium", "Application", "chrome.exe"],
    ["Microsoft", "Edge", "Application", "msedge.exe"],
  ].flatMap((names) => folders.map((folder) => win32.join(folder, ...names)));
}
