import { Button, Group } from "@mantine/core";

/** Pages of a list in the order of the file. */
export function RowsPaging({
  after,
  nextAfter,
  onChange,
}: {
  after: number;
  nextAfter: number | null;
  onChange: (after: number) => void;
}) {
  if (after === 0 && nextAfter === null) return null;
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={after === 0} onClick={() => onChange(0)}>
        First
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={nextAfter === null}
        onClick={() => onChange(nextAfter ?? 0)}
      >
        Next
      </Button>
    </Group>
  );
}
