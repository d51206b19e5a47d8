import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Answer } from "../requests.js";
import type { Fleet, Tenant } from "./fleet.js";
import type { HistoryFile } from "./history-file.js";
import type { Operation, Undo } from "./history.js";
import type { Random } from "./rig.js";

const ownPage = { "sec-fetch-site": "same-origin" };
const answerTimeoutMs = 60_000;
/** How often a confirmation without an answer is sent again. */
const maxAttempts = 4;
/** One of the newest runs is undone, so that others are still sending its keys. */
const newest = 12;

/** An admin who undoes runs in the console while others import, and repeats confirmations that were not answered. */
export interface Undoer {
  undos: Undo[];
  undoOnce(): Promise<void>;
}

export async function signInUndoer(
  fleet: Fleet,
  tenant: Tenant,
  { random, operations, file }: { random: Random; operations: readonly Operation[]; file: HistoryFile },
): Promise<Undoer> {
  const email = "undo@example.com";
  const password = "correct horse battery staple";
  const account = ["--email", email, "--role", "admin", "--organization", tenant.organizationUuid];
  await fleet.tell(password, "user", "create", ...account);
  const signedIn = await fleet.instances[0]?.service.send("/console/api/session", {
    body: { email, password },
    headers: ownPage,
  });
  expect(signedIn?.status, signedIn?.text).toBe(200);
  const headers = { ...ownPage, cookie: String(signedIn?.headers["set-cookie"]).split(";")[0] ?? "" };
  const undos: Undo[] = [];

  /** Undefined: no answer, or a server error. */
  async function ask(run: string, body?: object): Promise<Answer | undefined> {
    const { service } = random.pick(fleet.instances);
    const path = `/console/api/organizations/${tenant.organizationUuid}/runs/${run}/undo`;
    const sending = { headers, timeout: answerTimeoutMs, ...(body ? { body } : {}) };
    const answer = await service.send(path, sending).catch(() => undefined);
    return answer === undefined || answer.status >= 500 ? undefined : answer;
  }

  async function confirm(run: string, version: string): Promise<void> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const undo: Undo = { run, end: "pending" };
      undos.push(undo);
      file.undoAsked(undo);
      const answer = await ask(run, { version });
      undo.end = answer === undefined ? "info" : answer.status === 200 ? "ok" : "refused";
      file.undoEnded(undo, answer?.status);
      if (answer) {
        // The preview may be outdated. There is no other reason to reject it.
        expect([200, 409], answer.text).toContain(answer.status);
        return;
      }
      await sleep(50);
    }
  }

  return {
    undos,
    async undoOnce() {
      const created = operations.filter(
        ({ end, run }) => end === "ok" && run?.results.some(({ status }) => status === 1),
      );
      const chosen =
        created.length === 0 ? undefined : random.pick(created.slice(-newest)).run?.referenceUuid;
      const preview = chosen === undefined ? undefined : await ask(chosen);
      if (chosen !== undefined && preview?.status === 200 && preview.json.removed.length > 0)
        await confirm(chosen, preview.json.version);
      await sleep(random.between(50, 300));
    },
  };
}
