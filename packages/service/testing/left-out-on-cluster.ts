import { relative } from "node:path";
import { beforeEach } from "vitest";
import { clusterFile } from "../../../testing/cluster-nodes.js";

const oneServer =
  "it looks at the plans and settings of one server, or at one that only seems to have Citus, to foresee what a cluster does";
const triggers =
  "faults are put in by triggers, which Citus refuses; acceptance/cluster has the faults of a cluster";

/** Tests that do not run on a cluster, by file or by file and name, with the reason. All other tests pass there too. */
const reasons: Record<string, string | Record<string, string>> = {
  "packages/service/src/features/cluster/distribute.test.ts": oneServer,
  "packages/service/src/features/cluster/statements.slow.test.ts": oneServer,
  "packages/service/src/core/database/table-kinds.test.ts": oneServer,
  "packages/service/src/features/cluster/two-phase-recovery.test.ts": oneServer,
  "packages/service/src/core/database/session-settings.test.ts": {
    "the test server's defaults differ from the settings that the service needs":
      "the servers of a cluster have defaults that the tests do not control",
  },
  "packages/service/src/core/imports/failures.test.ts": triggers,
  "packages/service/src/core/imports/poison.test.ts": triggers,
  "packages/service/src/features/retention/delete-records.test.ts": {
    "a change of the retention settings applies to a running sweep from its next step on": triggers,
    "a failure in one organization does not keep the sweep from others, and is retried": triggers,
  },
  "packages/service/src/features/tracing/tracing.test.ts": {
    "a statement that the database rejects fails with its code but without its message":
      "Citus reports what a worker refuses of a COPY without its code",
  },
  "packages/service/src/core/verify/verify.slow.test.ts": {
    "every planted violation is reported by its check, with examples":
      "Citus moves no row to another organization, so some violations cannot be planted",
  },
  "packages/service/src/features/uploads/exactly-once.slow.test.ts": {
    "a batch that always times out in the database stops its upload":
      "the fault is put in by a function that a constraint calls, and workers do not have it",
  },
  "packages/service/src/core/leads/submit-lead.test.ts": {
    "no personal data is logged, not even when the database refuses a lead":
      "Citus does not tell which constraint of a worker was violated",
  },
  "packages/service/src/core/imports/history.test.ts": {
    "a page past the end is answered without reading runs":
      "it counts rows that were read, which each worker counts for itself",
  },
};

// These tests also run commands, which reject unknown variables.
if (clusterFile) delete process.env["GATEHOUSE_TEST_CLUSTER"];

if (clusterFile)
  beforeEach(({ task, skip }) => {
    const ofFile = reasons[relative(process.cwd(), task.file.filepath)];
    const reason = typeof ofFile === "object" ? ofFile[task.name] : ofFile;
    if (reason !== undefined) skip(reason);
  });
