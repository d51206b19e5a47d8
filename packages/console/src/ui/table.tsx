import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { IconArrowDown, IconArrowUp, IconSelector } from "./icons.js";
import styles from "./table.module.css";

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** Left out on narrower screens; the row's own page still shows it. */
  from?: "tablet" | "desktop";
  /** A header that is read aloud but not shown. */
  hiddenHeader?: boolean;
  /** Takes the room that is left and cuts long text. */
  grow?: boolean;
  /** Text that must be read whole, on several lines if need be. */
  wrap?: boolean;
  /** Not shown unless somebody chooses it. */
  optional?: boolean;
  /** What the address calls the order by it, upwards and downwards. */
  sort?: { up: string; down: string };
  /** What it is sorted by in lists of which all rows are here. */
  value?: (row: Row) => string | number | boolean | null;
  /** One long word, such as a reference or an e-mail address, that may be broken anywhere. */
  breakable?: boolean;
}

/** The order that a table is in, and how to have another. */
export interface TableSort {
  value: string | undefined;
  change: (value: string) => void;
}

const hiding = { tablet: "from-tablet", desktop: "from-desktop" } as const;

/** A list of records. If `href` is given, a click anywhere on a row follows it; the cell's own link serves the keyboard. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  href,
  sort,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  href?: ((row: Row) => string) | undefined;
  sort?: TableSort | undefined;
}) {
  const [, navigate] = useLocation();
  return (
    // Focusable, so that the keyboard can scroll what does not fit.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={classOf(column)}
                aria-sort={directionOf(column, sort)}
              >
                <Header column={column} sort={sort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={href ? styles.link : undefined}
              onClick={
                href
                  ? (event) => {
                      if (isOwnTarget(event.target) || hasSelection()) return;
                      navigate(href(row));
                    }
                  : undefined
              }
            >
              {columns.map((column) => (
                <td key={column.header} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const arrows = { ascending: IconArrowUp, descending: IconArrowDown };

function Header<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }) {
  if (column.hiddenHeader) return <span className="visually-hidden">{column.header}</span>;
  const { sort: orders } = column;
  if (!orders || !sort) return column.header;
  const direction = directionOf(column, sort);
  const Arrow = direction ? arrows[direction] : IconSelector;
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => sort.change(direction === "ascending" ? orders.down : orders.up)}
    >
      {column.header}
      <Arrow size={12} aria-hidden="true" className={direction ? undefined : styles.unsorted} />
    </button>
  );
}

function directionOf<Row>(
  { sort: orders }: Column<Row>,
  sort: TableSort | undefined,
): "ascending" | "descending" | undefined {
  if (!orders || !sort) return undefined;
  if (orders.up === sort.value) return "ascending";
  return orders.down === sort.value ? "descending" : undefined;
}

function classOf<Row>(column: Column<Row>): string {
  return [
    column.align === "right" ? styles.right : "",
    column.from ? hiding[column.from] : "",
    column.grow ? styles.grow : "",
    column.wrap ? styles.wrap : "",
    column.breakable ? styles.breakable : "",
  ].join(" ");
}

function isOwnTarget(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, label") !== null;
}

/** Marking text in a row, to copy it, is not a click on the row. */
function hasSelection(): boolean {
  return (window.getSelection()?.toString() ?? "") !== "";
}
