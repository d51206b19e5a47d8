import { Button, Group } from "@mantine/core";
import { useQueryState } from "./query-state.js";

/** What the buttons say and do, for a list that begins with its newest row and for one that begins with its oldest. */
const ways = {
  newest: { first: "Newest", back: "Newer", onwards: "Older", backName: "after", onwardsName: "before" },
  oldest: { first: "Oldest", back: "Older", onwards: "Newer", backName: "before", onwardsName: "after" },
};

/** Pages of a list that is read by the time of its rows. Each page has its own address. */
export function CursorPaging({
  nextCursor,
  previousCursor,
}: {
  nextCursor?: string | null | undefined;
  /** Undefined: the list can be gone through in one direction only. */
  previousCursor?: string | null | undefined;
}) {
  const { params, set } = useQueryState();
  const way = ways[params.get("sort") === "oldest" ? "oldest" : "newest"];
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
