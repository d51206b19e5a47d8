import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Reports once why tests are skipped, and lets the test command repeat it at the end (TEST_NOTICES). */
export function sayLeftOut(notice: string): void {
  console.warn(notice);
  const notices = process.env["TEST_NOTICES"];
  if (!notices) return;
  const isSaid = existsSync(notices) && readFileSync(notices, "utf8").includes(notice);
  if (!isSaid) appendFileSync(notices, `${notice}\n`);
}
