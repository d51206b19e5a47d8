import type { AuditLine } from "@gatehouse-parking/contract/console";
import { useMemo } from "react";
import { Link } from "wouter";
import { useFeatures } from "../features.js";
import { choice, utcDays, type Filter } from "../lists/filters.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { indentJson } from "../ui/format.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import styles from "./audit-log.module.css";
import { texts } from "./texts.js";

export function useAuditFilters(): readonly Filter[] {
  const features = useFeatures();
  return useMemo(() => {
    const subjects = Object.assign({}, texts.subjects, ...features.map((feature) => feature.auditSubjects));
    return [
      { kind: "text", name: "actor", label: texts.columns.who },
      choice("action", texts.filter, subjects),
      { kind: "text", name: "text", label: texts.text },
      utcDays,
    ];
  }, [features]);
}

/** `homeOf`: the address of the organization whose pages the subjects are on. */
export function auditColumns<Line extends AuditLine>(homeOf: (line: Line) => string): Column<Line>[] {
  return [
    { header: texts.columns.when, time: (line) => line.at, sort: "time" },
    { header: texts.columns.who, cell: (line) => <Actor line={line} />, breakable: true },
    {
      header: texts.columns.action,
      cell: (line) => <span className="monospace">{line.action}</span>,
      breakable: true,
    },
    {
      header: texts.columns.subject,
      cell: (line) => <Subject subject={line.subject} home={homeOf(line)} />,
      breakable: true,
    },
    { header: texts.columns.detail, cell: (line) => <Detail line={line} />, from: "tablet", wrap: true },
    { header: texts.columns.address, cell: (line) => line.address, optional: true },
  ];
}

const list: ListDefinition<"listAudit"> = {
  route: "listAudit",
  name: "audit",
  label: texts.title,
  rowKey: (line) => line.uuid,
  usualSort: "newest",
  exported: { route: "downloadAudit" },
  columns: auditColumns(() => ""),
};

/** Who changed what. */
export default function AuditLog() {
  const found = useList(list, { filters: useAuditFilters() });
  return (
    <div className={styles.stack}>
      <List
        found={found}
        hint={texts.hint}
        empty={<Empty title={texts.empty.title}>{texts.empty.text}</Empty>}
      />
    </div>
  );
}

function Actor({ line }: { line: AuditLine }) {
  return (
    <>
      {line.actor}
      {line.address ? <div className={styles.address}>{line.address}</div> : null}
    </>
  );
}

type SubjectKind = NonNullable<AuditLine["subject"]>["kind"];

/** Subjects with a page. */
const subjectPages: Partial<Record<SubjectKind, (uuid: string) => string>> = {
  location: (uuid) => `/locations/${uuid}`,
  lead: (uuid) => `/leads/${uuid}`,
  run: (uuid) => `/imports/${uuid}`,
};

function Subject({ subject, home }: { subject: AuditLine["subject"]; home: string }) {
  if (!subject) return null;
  if (subject.name === null && subject.kind !== "run") return texts.deleted(subject.kind);
  const address = subjectPages[subject.kind]?.(subject.uuid);
  const name = subject.name ?? texts.import(subject.uuid);
  return address ? <Link href={home + address}>{name}</Link> : name;
}

function Detail({ line }: { line: AuditLine }) {
  if (line.detail === "{}") return null;
  return (
    <details>
      <summary className={styles.summary}>{summaryOf(line.detail)}</summary>
      <pre className={styles.detail}>{indentJson(line.detail)}</pre>
    </details>
  );
}

/** The detail in one line, such as "name: Website forms, expiresAt: none". */
function summaryOf(detail: string): string {
  return Object.entries(JSON.parse(detail) as Record<string, unknown>)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(", ");
}

function shown(value: unknown): string {
  if (value === null || value === "") return texts.noValue;
  if (isChange(value)) return `${shown(value.from)} → ${shown(value.to)}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}
