import { relative } from "node:path";
import { beforeEach } from "vitest";
import { clusterFile } from "../../../testing/cluster-nodes.js";

const triggers =
  "faults are put in by triggers, which Citus refuses; acceptance/cluster has the faults of a cluster";

/** Tests that cannot be run on a cluster, by file or by file and name, and why. Everything else holds there as on one server. */
const reasons: Record<string, string | Record<string, string>> = {
  "packages/service/src/imports/failures.test.ts": triggers,
  "packages/service/src/imports/poison.test.ts": triggers,
};

if (clusterFile)
  beforeEach(({ task, skip }) => {
    const ofFile = reasons[relative(process.cwd(), task.file.filepath)];
    const reason = typeof ofFile === "object" ? ofFile[task.name] : ofFile;
    if (reason !== undefined) skip(reason);
  });
