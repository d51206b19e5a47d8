import type { Location } from "@gatehouse-parking/contract";
import type { Page } from "../operations/paging.js";
import type { Reads } from "../operations/reads.js";
import { askInGroupsByKey } from "../scheduling/ask-in-groups-by-key.js";
import type { Tracer } from "../telemetry/tracer.js";
import { listLocations, type LocationQuestion } from "./list-locations.js";

/**
 * A web site asks for its operator's locations on behalf of every visitor, so equal questions arrive together; they are
 * asked once. Nobody is answered by what was asked before he came.
 */
export function listOnceForEqual(
  reads: Reads,
  tracer: Tracer,
): (question: LocationQuestion) => Promise<Page<Location>> {
  return askInGroupsByKey(
    (question: LocationQuestion) => JSON.stringify(question),
    async (equal) => {
      const [question] = equal as [LocationQuestion];
      const page = await reads.inTurn(question.organizationId, (pool) => listLocations(pool, question));
      return equal.map(() => page);
    },
    { tracer },
  );
}
