import { locationPages } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { readPageRequest } from "../../operations/paging.js";
import { maxLocationFileBytes } from "../../locations/import-locations.js";
import { listLocations } from "../../locations/list-locations.js";
import { createLocation, updateLocation } from "../../locations/manage-locations.js";
import { showLocation } from "../../locations/show-location.js";
import { defineRoute } from "../access.js";
import type { LocationPageAnswer } from "@gatehouse-parking/contract/console";
import { readBody, readLargeBody, type Body } from "../body.js";
import { makeOnce } from "../make-once.js";
import { uuidParameter } from "../parameters.js";
import { readQuery } from "../query.js";
import { previewFile, storeFile } from "../../locations/location-file.js";
import { listTimeZones } from "../../locations/time-zones.js";

/** JSON escapes line ends and quotes, so the request is a little larger than the file in it. */
const fileRequestBytes = maxLocationFileBytes + 1024 * 1024;

export async function locationRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listLocations", async (request): Promise<LocationPageAnswer> =>
    listLocations(pool, {
      organizationId: request.organization.id,
      query: readQuery(request).text("query"),
      page: readPageRequest(request.query as Record<string, unknown>, locationPages),
    }),
  );

  defineRoute(app, "getLocation", async (request) =>
    showLocation(pool, {
      organizationId: request.organization.id,
      locationId: uuidParameter(request, "locationUuid"),
    }),
  );

  defineRoute(app, "createLocation", async (request) => {
    const body = readBody(request);
    const fields = {
      name: body.text("name"),
      address: body.text("address"),
      city: body.text("city"),
      state: body.text("state"),
      zipcode: body.text("zipcode"),
      timeZone: body.text("timeZone"),
      ...optionalFields(body),
    };
    body.check();
    const { organizationId } = authorship(request);
    return makeOnce(pool, request, {
      make: (client) => createLocation(client, { ...fields, ...authorship(request) }),
      show: (client, locationId) => showLocation(client, { organizationId, locationId }),
    });
  });

  defineRoute(app, "changeLocation", async (request) => {
    const body = readBody(request);
    const fields = {
      name: body.optionalText("name"),
      address: body.optionalText("address"),
      city: body.optionalText("city"),
      state: body.optionalText("state"),
      zipcode: body.optionalText("zipcode"),
      timeZone: body.optionalText("timeZone"),
      ...optionalFields(body),
    };
    body.check();
    return updateLocation(pool, {
      ...withoutUndefined(fields),
      locationId: uuidParameter(request, "locationUuid"),
      ...authorship(request),
    });
  });

  defineRoute(
    app,
    "previewLocationImport",
    async (request) => previewFile(pool, { csv: await readFile(request), ...authorship(request) }),
    { bodyLimitBytes: fileRequestBytes },
  );
  defineRoute(
    app,
    "importLocations",
    async (request) => storeFile(pool, { csv: await readFile(request), ...authorship(request) }),
    { bodyLimitBytes: fileRequestBytes },
  );

  defineRoute(app, "listTimeZones", async () => ({ data: listTimeZones() }));
}

function optionalFields(body: Body) {
  return { isActive: body.optionalFlag("isActive"), tpReferenceId: body.optionalText("tpReferenceId") };
}

function withoutUndefined<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}

function authorship(request: FastifyRequest): { organizationId: string; actor: string } {
  return { organizationId: request.organization.id, actor: request.person.email };
}

async function readFile(request: FastifyRequest): Promise<string> {
  const body = await readLargeBody(request, ["csv"]);
  const csv = body.text("csv");
  body.check();
  return csv;
}
