// Loaded into a service by --import. Shifts its wall clock by the milliseconds in the file that is named like
// its process in the folder SHIFTED_CLOCKS. Monotonic time, such as timers, is unaffected, as when an
// administrator sets a machine's clock.
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
