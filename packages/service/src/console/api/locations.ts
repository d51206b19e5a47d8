import type { Location } from "@gatehouse/contract";

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

/** The text of a CSV file with a header line: name,address,city,state,zipcode,timeZone[,tpReferenceId][,isActive]. */
export interface LocationImportRequest {
  csv: string;
}
/** What the file would do. It is imported whole or not at all: only with no problems. */
export interface LocationImportPreview {
  rows: { line: number; fields: Record<string, string>; problems: string[] }[];
  /** Problems of the file itself, such as a missing column. */
  problems: string[];
  importable: boolean;
}
export interface LocationImportAnswer {
  created: Location[];
}

export interface TimeZoneList {
  data: string[];
}
