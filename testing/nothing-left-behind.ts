import { afterAll } from "vitest";

/** What tests replace to move the clock. Their files share a process, so whoever does not put it back stops the others. */
const names = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] as const;

const holder = globalThis as typeof globalThis & { realClock?: Map<string, unknown> };
const real = (holder.realClock ??= new Map(names.map((name) => [name, globalThis[name]])));

afterAll(() => {
  const replaced = names.filter((name) => globalThis[name] !== real.get(name));
  for (const name of replaced) Object.assign(globalThis, { [name]: real.get(name) });
  if (replaced.length > 0)
    throw new Error(`This file, or the one before it, has left a clock behind: ${replaced.join(", ")}`);
});
