import type { DeletedRecord, TakenBack } from "@gatehouse-parking/contract/console";
import type pg from "pg";

/** Records that retention or an undo has removed. */
export interface RemovedRecords {
  deleted: DeletedRecord[];
  takenBack: TakenBack[];
}

export type RemovedBy = { uuid: string } | { reference: string; kind?: string | undefined };

export type FindRemoved = (
  pool: pg.Pool,
  organizationId: string,
  by: RemovedBy,
) => Promise<Partial<RemovedRecords>>;

export type FindEveryRemoved = (...asked: Parameters<FindRemoved>) => Promise<RemovedRecords>;

/** Asks every feature that removes records. */
export function findRemovedBy(features: readonly { readonly findRemoved?: FindRemoved }[]): FindEveryRemoved {
  return async (...asked) => {
    const all: RemovedRecords = { deleted: [], takenBack: [] };
    for (const { findRemoved } of features) {
      const { deleted = [], takenBack = [] } = (await findRemoved?.(...asked)) ?? {};
      all.deleted.push(...deleted);
      all.takenBack.push(...takenBack);
    }
    return all;
  };
}
