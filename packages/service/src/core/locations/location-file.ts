import type { Location } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Actor } from "../audit/audit.js";
import { importLocations, type LocationImportResult } from "./import-locations.js";
import { isUserError } from "../refusals/user-error.js";
import type { LocationImportAnswer, LocationImportPreview } from "@gatehouse-parking/contract/console";

interface LocationFile {
  organizationId: string;
  csv: string;
  actor: Actor;
}

/** Previews the import by running it and rolling it back, so the preview always matches the import. */
export async function previewFile(pool: pg.Pool, file: LocationFile): Promise<LocationImportPreview> {
  try {
    const result = await importLocations(pool, { ...file, dryRun: true });
    return { ...counts(result), rows: result.locations.map(toRow), problems: [], importable: true };
  } catch (error) {
    if (!isUserError(error, "invalid", "notFound")) throw error;
    return {
      created: 0,
      updated: 0,
      unchanged: 0,
      rows: [],
      problems: [...error.problems],
      importable: false,
    };
  }
}

export async function storeFile(pool: pg.Pool, file: LocationFile): Promise<LocationImportAnswer> {
  return counts(await importLocations(pool, { ...file, dryRun: false }));
}

function counts({ created, updated, unchanged }: LocationImportResult): LocationImportAnswer {
  return { created, updated, unchanged };
}

function toRow({ line, outcome, ...location }: LocationImportResult["locations"][number]) {
  const { uuid: _uuid, ...fields }: Location = location;
  return { line, outcome, fields };
}
