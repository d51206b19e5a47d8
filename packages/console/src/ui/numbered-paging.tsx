import { Group, Pagination } from "@mantine/core";
import { useQueryState } from "./query-state.js";

/** Pages of a list that is ordered by name. Each page has its own address. */
export function NumberedPaging({ page, totalPages }: { page: number; totalPages: number }) {
  const { set } = useQueryState();
  if (totalPages <= 1) return null;
  return (
    <Group justify="center" p="md">
      <Pagination
        size="sm"
        total={totalPages}
        value={page}
        onChange={(value) => set({ page: value === 1 ? null : value }, { push: true })}
        getControlProps={(control) => ({ "aria-label": `${control} page` })}
      />
    </Group>
  );
}
