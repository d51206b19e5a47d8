import { Button, Group, Pagination } from "@mantine/core";
import { useQueryState } from "./query-state.js";

/** Texts and parameters of the buttons, by sort direction. */
const directions = {
  newest: { first: "Newest", back: "Newer", onwards: "Older", backName: "after", onwardsName: "before" },
  oldest: { first: "Oldest", back: "Older", onwards: "Newer", backName: "before", onwardsName: "after" },
};

/** Paging by cursor. Each page has its own address. */
export function CursorPaging({
  nextCursor,
  previousCursor,
}: {
  nextCursor?: string | null | undefined;
  /** Undefined if the list has only one direction. */
  previousCursor?: string | null | undefined;
}) {
  const { params, set } = useQueryState();
  const way = directions[params.get("sort") === "oldest" ? "oldest" : "newest"];
  const isFirst = !params.has("before") && !params.has("after");
  if (isFirst && !nextCursor) return null;
  const open = (cursor: Record<string, string | null>) => {
    set(cursor, { push: true });
    window.scrollTo(0, 0);
  };
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => open({})}>
        {way.first}
      </Button>
      <Group gap="xs">
        {previousCursor === undefined ? null : (
          <Button
            variant="default"
            size="xs"
            disabled={previousCursor === null}
            onClick={() => open({ [way.backName]: previousCursor })}
          >
            {way.back}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          disabled={!nextCursor}
          onClick={() => open({ [way.onwardsName]: nextCursor ?? null })}
        >
          {way.onwards}
        </Button>
      </Group>
    </Group>
  );
}

/** Paging by number. Each page has its own address. */
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
