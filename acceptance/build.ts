import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Tests run the built product. Without changes, the build takes a fraction of a second. */
export default function setup(): void {
  const script = fileURLToPath(new URL("../scripts/build.js", import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: "inherit" });
  if (status !== 0) throw new Error("The build failed");
}
