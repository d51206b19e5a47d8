import { texts } from "./texts.js";

/** Order matters: most browsers also name others in their User-Agent. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** A readable name for a User-Agent, such as "Firefox on Windows". */
export function browserName(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([sign]) => userAgent?.includes(sign))?.[1];
  const browser = find(browsers) ?? texts.sessions.unknownBrowser;
  const system = find(systems);
  return system ? `${browser} on ${system}` : browser;
}
