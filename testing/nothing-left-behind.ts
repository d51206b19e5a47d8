import { afterAll } from "vitest";

/** The globals that tests replace to control time. Test files share a process, so an unrestored clock breaks other files. */
const names = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] as const;

const holder = globalThis as typeof globalThis & { realClock?: Map<string, unknown> };
const real = (holder.realClock ??= new Map(names.map((name) => [name, globalThis[name]])));

afterAll(() => {
  const replaced = names.filter((name) => globalThis[name] !== real.get(name));
  for (const name of replaced) Object.assign(globalThis, { [name]: real.get(name) });
  if (replaced.length > 0)
    throw new Error(`This file, or the one before it, did not restore: ${replaced.join(", ")}`);
});
