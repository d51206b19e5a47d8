import type { Location } from "../index.js";

export interface LocationsQuery {
  /** 1-based. */
  page?: number;
  /** At most 500, 100 when absent. */
  pageSize?: number;
  query?: string;
}
export interface LocationPageAnswer {
  data: Location[];
  totalCount: number;
  pageSize: number;
  currentPage: number;
  totalPages: number;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
}
export interface CreateLocationRequest {
  name: string;
  address: string;
  city: string;
  state: string;
  zipcode: string;
  timeZone: string;
  isActive?: boolean;
  tpReferenceId?: string;
}
/** Fields that are absent stay as they are; `isActive: false` deactivates. */
export type ChangeLocationRequest = Partial<CreateLocationRequest>;

/**
 * The text of a CSV file with a header line: name, address, city, state, zipcode, timeZone and, if wanted,
 * tpReferenceId and isActive. A row means the location with its tpReferenceId, or else with its name and address: a
 * known one is updated, any other created.
 */
export interface LocationImportRequest {
  csv: string;
}
/** What the file would do. It is imported whole or not at all: with any problem there are no rows. */
export interface LocationImportPreview extends LocationImportAnswer {
  rows: {
    line: number;
    outcome: "created" | "updated" | "unchanged";
    fields: Omit<Location, "uuid">;
  }[];
  /** Each names its line, such as "line 3: ...". */
  problems: string[];
  importable: boolean;
}
/** How many locations each thing happened to. */
export interface LocationImportAnswer {
  created: number;
  updated: number;
  unchanged: number;
}

export interface TimeZoneList {
  data: string[];
}
