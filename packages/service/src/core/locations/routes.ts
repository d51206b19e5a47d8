import { locationPages } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import { defineOperation } from "../operations/define-operation.js";
import { readPageRequest } from "../operations/paging.js";
import type { Reads } from "../operations/serializers.js";
import { listLocations } from "./list-locations.js";

export async function locationRoutes(app: FastifyInstance, { reads }: { reads: Reads }): Promise<void> {
  defineOperation(app, "listLocations", {
    description:
      "Returns the locations of the key's organization by name, inactive ones included. `query` finds those in whose name, address or city every word occurs.",
    query: {
      page: {
        type: "integer",
        default: 1,
        minimum: 1,
        description: "The page number from 1. Below 1: the first page. After the end: a page without data.",
      },
      pageSize: {
        type: "integer",
        default: locationPages.defaultPageSize,
        minimum: 1,
        maximum: locationPages.maxPageSize,
        description: "The page size. A value out of range becomes the nearest allowed size.",
      },
      query: { type: "string", description: "Free text, case-insensitive." },
    },
    answer: "LocationPage",
    handler: async (request) => {
      const query = request.query as Record<string, string | string[] | undefined>;
      const { organizationId } = request.caller;
      const release = await reads.acquire(organizationId);
      try {
        return await listLocations(reads.pool, {
          organizationId,
          // If a parameter is given twice, the last one counts, as in paging.
          query: [query["query"]].flat().at(-1),
          page: readPageRequest(query, locationPages),
        });
      } finally {
        release();
      }
    },
  });
}
