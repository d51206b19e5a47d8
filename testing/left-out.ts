import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Says that tests are left out for want of something, once, and lets the test command say it at its end (TEST_NOTICES). */
export function sayLeftOut(notice: string): void {
  console.warn(notice);
  const notices = process.env["TEST_NOTICES"];
  if (!notices) return;
  const isSaid = existsSync(notices) && readFileSync(notices, "utf8").includes(notice);
  if (!isSaid) appendFileSync(notices, `${notice}\n`);
}
