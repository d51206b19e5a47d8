import { readInteger } from "../../core/config/readers.js";
import type { Feature } from "../../core/feature.js";
import { findUndoneRecords, readUndone, undoableUntil } from "./undo-status.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** For how many days an import can be undone. 0: never. */
    undoDays: number;
  }
}

/** Removes what an import created, except what other records refer to. */
export const undo: Feature = {
  name: "undo",
  environment: {
    variables: {
      undoDays: {
        name: "GATEHOUSE_UNDO_DAYS",
        read: (text) => readInteger(text, 0, 3_650),
        whenUnset: 7,
        shownDefault: "7",
        description: "For how many days an import can be undone, in the console or by a command. 0: never.",
      },
    },
  },
  commands: { "import undo": async () => (await import("./command.js")).undoCommand() },
  verifyChecks: async () => (await import("./verify.js")).undoneChecks,
  findRemoved: async (...query) => ({ takenBack: await findUndoneRecords(...query) }),
  async register({ database, config: { undoDays } }) {
    const [{ defineConsoleOperation }, { previewUndo }, { undoRun }] = await Promise.all([
      import("../../core/console/define-operation.js"),
      import("./preview-undo.js"),
      import("./undo-run.js"),
    ]);
    return {
      async consoleOperations(api) {
        defineConsoleOperation(api, "previewUndo", ({ pool, organizationId, params }) =>
          previewUndo(pool, { organizationId, runId: params.referenceUuid, undoDays }),
        );
        defineConsoleOperation(api, "undoRun", ({ pool, organizationId, params, body, actor }) => {
          const { version } = body;
          return undoRun(pool, { organizationId, runId: params.referenceUuid, version, undoDays, actor });
        });
      },
      describeRun: async ({ organizationId, runId, completedAt, undoneAt }) => ({
        undone: undoneAt === null ? null : await readUndone(database.console, organizationId, runId),
        undoableUntil: undoableUntil(completedAt, undoDays),
      }),
    };
  },
};
