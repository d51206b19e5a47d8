import { ActionIcon, Button, Group, Select, Stack, TagsInput } from "@mantine/core";
import { IconPlus, IconTrash } from "../../../core/ui/icons.js";
import styles from "../uploads.module.css";
import { texts } from "./texts.js";
import type { MappingProps } from "./mapping-panel.js";

interface Filter {
  column: string;
  values: string[];
}

const text = texts.filters;
const shownWords = 50;

/** The rows that the mapping leaves out. */
export function RowFilters({ content, choices, onChange }: MappingProps) {
  const filters = ((choices.others["leaveOut"] ?? []) as Filter[]).map(({ column, values }) => ({
    column,
    values: [values].flat(),
  }));
  const set = (next: readonly Filter[]) => {
    const { leaveOut: _, ...others } = choices.others;
    onChange({ ...choices, others: next.length > 0 ? { ...others, leaveOut: next } : others });
  };
  const columns = content.profile.columns;
  const change = (index: number, part: Partial<Filter>) =>
    set(filters.with(index, { ...(filters[index] as Filter), ...part }));
  return (
    <Stack gap="xs">
      {filters.map(({ column, values }, index) => {
        const known = columns.find(({ name }) => name === column)?.values ?? [];
        return (
          // Two filters may be equal.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <Select
              className={styles.fixedPath}
              label={index === 0 ? text.title : undefined}
              aria-label={text.column(index + 1)}
              data={[...new Set([...columns.map(({ name }) => name), column])]}
              value={column}
              onChange={(name) => name !== null && change(index, { column: name, values: [] })}
              searchable
              allowDeselect={false}
              size="xs"
            />
            <TagsInput
              className={styles.fixedValue}
              label={index === 0 ? text.values : undefined}
              aria-label={text.valuesOf(column)}
              data={[...known.slice(0, shownWords).map(({ value }) => value), text.emptyCell]}
              value={values.map((word) => (word === "" ? text.emptyCell : word))}
              onChange={(words) =>
                change(index, { values: words.map((word) => (word === text.emptyCell ? "" : word)) })
              }
              size="xs"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text.remove(column)}
              onClick={() => set(filters.toSpliced(index, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...filters, { column: columns[0]?.name ?? "", values: [] }])}
        >
          {text.add}
        </Button>
      </div>
    </Stack>
  );
}
