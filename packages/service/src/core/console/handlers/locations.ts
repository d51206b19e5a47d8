import type { Location } from "@gatehouse-parking/contract";
import type { EditedLocation } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import { listLocations } from "../../locations/list-locations.js";
import { previewFile, storeFile } from "../../locations/location-file.js";
import { createLocation, updateLocation, showLocation } from "../../locations/manage-locations.js";
import { listTimeZones } from "../../locations/time-zones.js";
import { versionOf } from "../../refusals/user-error.js";
import { defineConsoleOperation } from "../define-operation.js";
import { createIdempotently } from "../idempotent-create.js";

export async function locationHandlers(app: FastifyInstance): Promise<void> {
  defineConsoleOperation(
    app,
    "listLocations",
    ({ pool, organizationId, query: { query, sort = "name", ...page } }) =>
      listLocations(pool, { organizationId, query, sort, page }),
  );

  defineConsoleOperation(app, "getLocation", async ({ pool, organizationId, params }) =>
    withVersion(await showLocation(pool, { organizationId, locationId: params.locationUuid })),
  );

  defineConsoleOperation(app, "createLocation", ({ pool, organizationId, actor, body, request }) =>
    createIdempotently(pool, request, {
      make: (client) => createLocation(client, { ...body, organizationId, actor }),
      show: (client, locationId) => showLocation(client, { organizationId, locationId }),
    }),
  );

  defineConsoleOperation(app, "changeLocation", async ({ pool, organizationId, actor, params, body }) =>
    withVersion(
      await updateLocation(pool, { ...body, locationId: params.locationUuid, organizationId, actor }),
    ),
  );

  defineConsoleOperation(app, "previewLocationImport", ({ pool, organizationId, actor, body }) =>
    previewFile(pool, { ...body, organizationId, actor }),
  );

  defineConsoleOperation(app, "importLocations", ({ pool, organizationId, actor, body }) =>
    storeFile(pool, { ...body, organizationId, actor }),
  );

  defineConsoleOperation(app, "listTimeZones", async () => ({ data: listTimeZones() }));
}

function withVersion(location: Location): EditedLocation {
  return { ...location, version: versionOf(location) };
}
