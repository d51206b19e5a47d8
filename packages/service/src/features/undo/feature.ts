import type { Feature } from "../../core/feature.js";
import { variables } from "./environment.js";
import { findTakenBack, readUndone } from "./undone-runs.js";
import { undoableUntil } from "./undo-window.js";

/** Removes what an import created, except what other records refer to. */
export const undo: Feature = {
  name: "undo",
  environment: { variables },
  commands: { "import undo": async () => (await import("./command.js")).undoCommand() },
  verifyChecks: async () => (await import("./verify.js")).undoneChecks,
  findRemoved: async (...asked) => ({ takenBack: await findTakenBack(...asked) }),
  async register({ database, config: { undoDays } }) {
    const { undoHandlers } = await import("./console.js");
    const pool = database.console;
    return {
      consoleOperations: (api) => undoHandlers(api, { undoDays }),
      describeRun: async ({ organizationId, runId, completedAt, undoneAt }) => ({
        undone: undoneAt === null ? null : await readUndone(pool, organizationId, runId),
        undoableUntil: undoableUntil(completedAt, undoDays),
      }),
    };
  },
};
