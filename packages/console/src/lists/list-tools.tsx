import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import type { QueryParameters } from "../api/routes.js";
import { IconChevronDown } from "../ui/icons.js";
import { shownColumns, useColumnChoice } from "./column-choice.js";
import { ExportMenu } from "./export-menu.js";
import type { ListLooks } from "./list-looks.js";
import { SavedViews } from "./saved-views.js";
import styles from "./lists.module.css";

/** What can be done with any list: the views that one has saved, its columns, and a file of it. */
export function ListTools<Row>({
  list,
  query = {},
  mayExport = true,
  isInPanel = false,
}: {
  list: ListLooks<Row>;
  /** What the list was asked for with. */
  query?: object | undefined;
  mayExport?: boolean | undefined;
  /** Above the table of a panel that has a heading. */
  isInPanel?: boolean;
}) {
  return (
    <div className={isInPanel ? `${styles.tools} ${styles.inPanel}` : styles.tools}>
      <div className={styles.views}>
        {list.name === "organizations" ? null : <SavedViews list={list.name} />}
      </div>
      <div className={styles.buttons}>
        <Columns list={list} />
        {mayExport ? <ExportMenu {...list.exported} query={query as QueryParameters} size="xs" /> : null}
      </div>
    </div>
  );
}

function Columns<Row>({ list }: { list: ListLooks<Row> }) {
  const { chosen, choose } = useColumnChoice(list.name);
  const shown = shownColumns(list.columns, chosen).map(({ header }) => header);
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" className={styles.columns}>
          {list.columns.map(({ header }) => (
            <Checkbox
              key={header}
              size="xs"
              label={header}
              checked={shown.includes(header)}
              // A table without columns would show nothing.
              disabled={shown.length === 1 && shown[0] === header}
              onChange={(event) => {
                const isWanted = event.currentTarget.checked;
                choose(
                  list.columns
                    .map((column) => column.header)
                    .filter((name) => (name === header ? isWanted : shown.includes(name))),
                );
              }}
            />
          ))}
          <Button size="compact-xs" variant="subtle" disabled={chosen === null} onClick={() => choose(null)}>
            Usual columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
