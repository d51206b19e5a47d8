// Loaded into a service by --import: its wall clock is off by as many milliseconds as the file says that is called like
// its process in the folder SHIFTED_CLOCKS. What counts from a moment on, such as timers, goes on as ever, as it does
// when somebody sets the clock of a machine.
import { readFileSync } from "node:fs";
import path from "node:path";

const RealDate = Date;
const file = path.join(process.env["SHIFTED_CLOCKS"] ?? "", String(process.pid));

function offsetMs() {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

const now = () => RealDate.now() + offsetMs();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
