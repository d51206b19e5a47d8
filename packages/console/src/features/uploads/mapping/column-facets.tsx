import { Button, Popover, Text } from "@mantine/core";
import {
  columnRange,
  readNumberFormat,
  readTimeFormat,
  type ColumnProfile,
} from "@gatehouse-parking/record-files";
import { truncate } from "../preview/preview.js";
import { texts as uploadTexts } from "../texts.js";
import { texts } from "./texts.js";
import styles from "../uploads.module.css";
import type { ColumnChoice } from "./mapping-choices.js";

const shownValues = 20;

/** What a column contains: its values with their counts, empty cells, and the smallest and largest value. */
export function ColumnFacets({
  profile,
  targets,
  emptyWords,
}: {
  profile: ColumnProfile;
  targets: readonly ColumnChoice[];
  /** Words for all columns. */
  emptyWords: readonly string[];
}) {
  const { name, values, filled, empty, hasAllValues } = profile;
  const words = new Set(
    [...emptyWords, ...targets.flatMap(({ empty = [] }) => empty)].map((word) => word.trim().toLowerCase()),
  );
  const asEmpty = values.filter(({ value }) => words.has(value.trim().toLowerCase()));
  const range = columnRange(profile, { empty: words, ...formatsOf(targets) });
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
        {range ? (
          <Text size="xs">{texts.facets.range(truncate(range.smallest), truncate(range.largest))}</Text>
        ) : null}
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

/** The formats that the fields of a column declare. */
function formatsOf(targets: readonly ColumnChoice[]) {
  const [pattern] = targets.flatMap(({ time = [] }) => [[time].flat()]).filter(({ length }) => length > 0);
  const number = targets.find((target) => target.number !== undefined)?.number;
  return {
    time: pattern?.map(readTimeFormat).filter((format) => format !== undefined),
    number: number === undefined ? undefined : readNumberFormat(number),
  };
}
