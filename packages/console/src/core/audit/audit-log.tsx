import type { AuditLine } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { choice, utcDays } from "../lists/filters.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { indentJson } from "../ui/format.js";
import { Empty } from "../ui/states.js";
import styles from "./audit-log.module.css";

const subjects = {
  "api-key": "API keys",
  location: "Locations",
  organization: "Organization",
  user: "Members",
  lead: "Leads",
};
const filters = [choice("action", "Subject", subjects), ...utcDays];

const list: ListDefinition<"listAudit"> = {
  route: "listAudit",
  name: "audit",
  label: "Audit log",
  rowKey: (line) => line.uuid,
  usualSort: "newest",
  exported: { route: "downloadAudit" },
  columns: [
    { header: "When", time: (line) => line.at, sort: "time" },
    { header: "Who", cell: (line) => <Actor line={line} />, breakable: true },
    { header: "Action", cell: (line) => <span className="monospace">{line.action}</span>, breakable: true },
    { header: "Concerning", cell: (line) => <Subject line={line} />, breakable: true },
    { header: "Detail", cell: (line) => <Detail line={line} />, from: "tablet", wrap: true },
    { header: "Address", cell: (line) => line.address, optional: true },
  ],
};

/** Who changed what. */
export default function AuditLog() {
  return (
    <div className={styles.stack}>
      <List
        found={useList(list, { filters })}
        hint="Older entries may still match: see below."
        empty={<Empty title="No changes yet">Whatever somebody changes here is written down.</Empty>}
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

function Subject({ line: { subject } }: { line: AuditLine }) {
  if (!subject) return null;
  if (subject.name === null && subject.kind !== "run") return `a ${subject.kind} that is deleted`;
  const address = subjectPages[subject.kind]?.(subject.uuid);
  const name = subject.name ?? `run …${subject.uuid.slice(-8)}`;
  return address ? <Link href={address}>{name}</Link> : name;
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
  if (value === null || value === "") return "none";
  if (isChange(value)) return `${shown(value.from)} → ${shown(value.to)}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}
