import type { DeletedRecord, TakenBack } from "@gatehouse-parking/contract/console";
import type pg from "pg";

/** Records that were stored and are not any more, as far as it is known what became of them. */
export interface RemovedRecords {
  /** Removed by retention. */
  deleted: DeletedRecord[];
  /** Removed by an undo. */
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
