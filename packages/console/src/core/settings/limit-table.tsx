import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { formatShare } from "../ui/format.js";
import { Panel } from "../ui/page.js";
import { DataTable, type Column } from "../ui/table.js";
import { UseBar } from "../ui/use-bar.js";
import styles from "./limit-table.module.css";
import { texts } from "./texts.js";

export interface LimitRow<Key extends string = string> {
  key: Key;
  name: string;
  scope?: string;
  /** With its unit. */
  limit: string;
  /** The limit without an override. Null: there is no override. */
  replaces: string | null;
  /** Null: not limited. */
  maximum: number | null;
  /** Null: not counted. */
  used: number | null;
  /** Default: as a number. */
  formatUsed?: (used: number) => string;
}

/** Limits with their units and use. `edit` shows a button in every row. */
export function LimitTable<Key extends string>({
  title,
  description,
  header,
  rows,
  edit,
  children,
}: {
  title: string;
  description: string;
  header: string;
  rows: readonly LimitRow<Key>[];
  edit: ((key: Key) => void) | undefined;
  /** The dialog. */
  children?: ReactNode;
}) {
  return (
    <Panel title={title} description={description} flush>
      <DataTable label={title} columns={columnsOf(header, edit)} rows={rows} rowKey={({ key }) => key} />
      {children}
    </Panel>
  );
}

function columnsOf<Key extends string>(
  header: string,
  edit: ((key: Key) => void) | undefined,
): Column<LimitRow<Key>>[] {
  const { columns: words } = texts.limits;
  const columns: Column<LimitRow<Key>>[] = [
    { header, cell: ({ name, scope }) => <TwoLines first={name} second={scope} />, wrap: true },
    {
      header: words.limit,
      cell: ({ limit, replaces }) => (
        <TwoLines first={limit} second={replaces === null ? undefined : texts.limits.own(replaces)} />
      ),
      align: "right",
    },
    { header: words.used, cell: (row) => <Use row={row} />, align: "right" },
  ];
  if (edit)
    columns.push({
      header: words.actions,
      hiddenHeader: true,
      cell: ({ key, name }) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={texts.limits.editLabel(name)}
          onClick={() => edit(key)}
        >
          {texts.limits.edit}
        </Button>
      ),
      align: "right",
    });
  return columns;
}

function TwoLines({ first, second }: { first: string; second: string | undefined }) {
  return (
    <div>
      {first}
      {second ? <div className={styles.second}>{second}</div> : null}
    </div>
  );
}

function Use({
  row: { name, used, maximum, formatUsed = (count) => count.toLocaleString("en") },
}: {
  row: LimitRow;
}) {
  if (used === null) return <span className={styles.second}>{texts.limits.notCounted}</span>;
  if (maximum === null) return formatUsed(used);
  const share = used / maximum;
  return (
    <div className={styles.use}>
      {texts.limits.used(formatUsed(used), formatShare(share))}
      <UseBar share={share} label={texts.limits.bar(name, formatShare(share))} />
    </div>
  );
}

/** The dialog for one row. It is open while it has a row. */
export function LimitDialog<Key extends string>({
  row,
  onClose,
  children,
}: {
  row: LimitRow<Key> | undefined;
  onClose: () => void;
  children: (row: LimitRow<Key>) => ReactNode;
}) {
  return (
    <Modal
      opened={row !== undefined}
      onClose={onClose}
      title={row && texts.limits.editTitle(row.name)}
      closeOnClickOutside={false}
    >
      {row ? children(row) : null}
    </Modal>
  );
}
