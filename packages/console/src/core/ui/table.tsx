import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { IconArrowDown, IconArrowUp, IconSelector } from "./icons.js";
import styles from "./table.module.css";
import { Time } from "./time.js";
import { texts } from "./texts.js";

export interface Column<Row> {
  header: string;
  /** Default: the `value` or the `time`. */
  cell?: (row: Row) => ReactNode;
  /** The sort key in lists that have only one page. */
  value?: (row: Row) => string | number | boolean | null | undefined;
  /** A timestamp, which is a sort key as well. */
  time?: (row: Row) => string | null;
  align?: "right";
  /** Hidden on narrower screens. */
  from?: "tablet" | "desktop";
  /** For screen readers only. */
  hiddenHeader?: boolean;
  /** Takes the remaining width and truncates long text. */
  grow?: boolean;
  /** Wraps text instead of truncating it. */
  wrap?: boolean;
  /** Hidden until the user chooses it. */
  optional?: boolean;
  /** The name of the order in the address. The list of a time is sorted by "time". */
  sort?: string;
  /** One long word that may break anywhere, such as a reference. */
  breakable?: boolean;
}

interface TableSort {
  value: string | undefined;
  change: (value: string) => void;
}

const hiding = { tablet: "from-tablet", desktop: "from-desktop" } as const;

/** A table. With `href`, a click anywhere on a row follows it; a link in a cell serves the keyboard. */
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
  const box = useRef<HTMLElement>(null);
  useEdges(box);
  return (
    // Focusable for scrolling with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={box} className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={classOf(column)}
                aria-sort={sort && directionOf(column, sort.value)}
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
                <td key={column.header} className={classOf(column)} data-label={labelOf(column)}>
                  {cellOf(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Says on which sides the table has more columns, so that the first and last column can have a shadow there. */
function useEdges(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const hiddenWidth = element.scrollWidth - element.clientWidth;
      element.toggleAttribute("data-more-before", element.scrollLeft > 1);
      element.toggleAttribute("data-more-after", element.scrollLeft < hiddenWidth - 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [box]);
}

/** The header beside a value where rows are shown as cards. */
function labelOf<Row>({ header, hiddenHeader = false }: Column<Row>): string | undefined {
  return hiddenHeader ? undefined : header;
}

function cellOf<Row>({ cell, value, time }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  if (time) return <Time value={time(row)} withZone={false} />;
  const shown = value?.(row);
  if (typeof shown === "boolean") return shown ? texts.yes : texts.no;
  return typeof shown === "number" ? shown.toLocaleString("en") : shown;
}

const arrows = { ascending: IconArrowUp, descending: IconArrowDown };

function Header<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }) {
  if (column.hiddenHeader) return <span className="visually-hidden">{column.header}</span>;
  const label = column.time ? (
    <>
      {column.header} <span className={styles.zone}>UTC</span>
    </>
  ) : (
    column.header
  );
  if (!column.sort || !sort) return label;
  const direction = directionOf(column, sort.value);
  const { ascending, descending } = ordersOf(column.sort);
  const Arrow = direction ? arrows[direction] : IconSelector;
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => sort.change(direction === "ascending" ? descending : ascending)}
    >
      {label}
      <Arrow size={12} aria-hidden="true" className={direction ? undefined : styles.unsorted} />
    </button>
  );
}

/** Values of the `sort` parameter. */
function ordersOf(name: string) {
  if (name === "time") return { ascending: "oldest", descending: "newest" };
  return { ascending: name, descending: `-${name}` };
}

export function directionOf<Row>({ sort }: Column<Row>, value: string | undefined) {
  if (sort === undefined) return undefined;
  const { ascending, descending } = ordersOf(sort);
  if (value === ascending) return "ascending";
  return value === descending ? "descending" : undefined;
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

/** Selecting text is not a click on the row. */
function hasSelection(): boolean {
  return (window.getSelection()?.toString() ?? "") !== "";
}
