import { useQueryState } from "../ui/query-state.js";
import type { Column, TableSort } from "../ui/table.js";

/** The order of a list, in the address. Columns with a `value` are sorted here, because all of their rows are. */
export function useSort(usual: string | undefined) {
  const { params, set } = useQueryState();
  const value = params.get("sort") ?? usual;
  const sort: TableSort = {
    value,
    change: (next) => set({ sort: next === usual ? null : next }),
  };
  function sorted<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
    const column = columns.find(
      ({ sort: own }) => value !== undefined && Object.values(own ?? {}).includes(value),
    );
    const read = column?.value;
    if (!read) return rows;
    const direction = column.sort?.down === value ? -1 : 1;
    return rows.toSorted((one, other) => compare(read(one), read(other), direction));
  }
  return { ...sort, sorted };
}

type Value = string | number | boolean | null;

/** What is absent comes last either way. */
function compare(one: Value, other: Value, direction: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === "string" && typeof other === "string") return direction * one.localeCompare(other);
  return direction * (Number(one) - Number(other));
}
