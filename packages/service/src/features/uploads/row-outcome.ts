import type { RecordStatus } from "@gatehouse-parking/contract";

export const maxFileNameLength = 255;
export const maxMappingNameLength = 128;

/** A row of a file and what became of it, as a batch keeps it: an array, because there are many. */
export type RowOutcome = [
  line: number,
  status: RecordStatus,
  uuid: string | null,
  /** Null also on a failure: the row could not be made into a record. */
  reasonCode: number | null,
  message: string | null,
  reference: string,
  cells: string[],
];
