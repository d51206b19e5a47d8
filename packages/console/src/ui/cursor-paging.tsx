import { Button, Group } from "@mantine/core";
import { useQueryState } from "./query-state.js";

/** Pages of a list that is read newest first. Each page has its own address, so the back button leads to newer rows. */
export function CursorPaging({
  nextCursor,
  previousCursor,
}: {
  nextCursor: string | null | undefined;
  /** Undefined: the list can be gone through in one direction only. */
  previousCursor?: string | null | undefined;
}) {
  const { params, set } = useQueryState();
  const isFirst = !params.has("before") && !params.has("after");
  if (isFirst && !nextCursor) return null;
  const open = (cursor: { before?: string | null; after?: string | null }) => {
    set(cursor, { push: true });
    window.scrollTo(0, 0);
  };
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => open({})}>
        Newest
      </Button>
      <Group gap="xs">
        {previousCursor === undefined ? null : (
          <Button
            variant="default"
            size="xs"
            disabled={previousCursor === null}
            onClick={() => open({ after: previousCursor })}
          >
            Newer
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          disabled={!nextCursor}
          onClick={() => open({ before: nextCursor ?? null })}
        >
          Older
        </Button>
      </Group>
    </Group>
  );
}
