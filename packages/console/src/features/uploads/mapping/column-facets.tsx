import { Button, Popover, Text } from "@mantine/core";
import type { ColumnProfile } from "@gatehouse-parking/record-files";
import { truncate } from "../preview/preview.js";
import { texts as uploadTexts } from "../texts.js";
import { texts } from "./texts.js";
import styles from "../uploads.module.css";

const shownValues = 20;

/** What a column contains: its values with their counts, empty cells, and the smallest and largest value. */
export function ColumnFacets({
  profile,
  emptyWords,
}: {
  profile: ColumnProfile;
  emptyWords: readonly string[];
}) {
  const { name, values, filled, empty, hasAllValues } = profile;
  const words = new Set(emptyWords.map((word) => word.trim().toLowerCase()));
  const asEmpty = values.filter(({ value }) => words.has(value.trim().toLowerCase()));
  const range = rangeOf(profile);
  return (
    <Popover width={320} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="subtle" aria-label={texts.facets.of(name)}>
          {texts.facets.values}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.facets.of(name)}>
        <Text size="xs">
          {texts.facets.cells(filled, empty)} {texts.facets.different(values.length, hasAllValues)}
        </Text>
        {asEmpty.length > 0 ? (
          <Text size="xs">{texts.facets.asEmpty(asEmpty.map(({ value, count }) => [value, count]))}</Text>
        ) : null}
        {range ? <Text size="xs">{texts.facets.range(truncate(range[0]), truncate(range[1]))}</Text> : null}
        {/* Focusable for scrolling with the keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={styles.facets} aria-label={texts.facets.most} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.facets.value}</th>
                <th scope="col">{uploadTexts.columns.rows}</th>
              </tr>
            </thead>
            <tbody>
              {values.slice(0, shownValues).map(({ value, count }) => (
                <tr key={value}>
                  <td>{truncate(value)}</td>
                  <td>{count.toLocaleString("en")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Popover.Dropdown>
    </Popover>
  );
}

/** By number if all values are numbers, otherwise by text. */
function rangeOf({ values, shapes }: ColumnProfile): [string, string] | undefined {
  const known = [...values.map(({ value }) => value), ...shapes.flatMap(({ examples }) => examples)];
  if (known.length < 2) return undefined;
  const areNumbers = known.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  const sorted = known.toSorted((one, other) =>
    areNumbers ? Number(one) - Number(other) : one < other ? -1 : 1,
  );
  return [sorted[0] as string, sorted.at(-1) as string];
}
