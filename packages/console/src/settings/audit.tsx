import type { AuditLine, AuditQuery } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { DataList } from "../lists/data-list.js";
import { byTime, type ListLooks } from "../lists/list-looks.js";
import { readNamed, readUtcDays } from "../lists/read-address.js";
import { indentJson } from "../ui/json-text.js";
import { DateFilter, Filters, SelectFilter } from "../ui/filters.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import { Time } from "../ui/time.js";
import styles from "./audit.module.css";

const subjects = [
  { value: "api-key", label: "API keys" },
  { value: "location", label: "Locations" },
  { value: "organization", label: "Organization" },
  { value: "user", label: "Members" },
  { value: "lead", label: "Leads" },
];

const list: ListLooks<AuditLine> = {
  name: "audit",
  label: "Audit log",
  rowKey: (line) => line.uuid,
  usualSort: "newest",
  exported: { route: "downloadAudit" },
  columns: [
    { header: "When", cell: (line) => <Time value={line.at} />, sort: byTime },
    { header: "Who", cell: (line) => <Who line={line} />, breakable: true },
    { header: "Action", cell: (line) => <span className="monospace">{line.action}</span>, breakable: true },
    { header: "Concerning", cell: (line) => <Subject line={line} />, breakable: true },
    { header: "Detail", cell: (line) => <Detail line={line} />, from: "tablet", wrap: true },
    { header: "Address", cell: (line) => line.address, optional: true },
  ],
};

/** Who changed what. Lines are only ever added. */
export default function Audit() {
  const { params } = useQueryState();
  const asked = { ...readNamed(params, names), ...readUtcDays(params) } as AuditQuery;
  const lines = useApi("listAudit", { query: asked });
  return (
    <div className={styles.stack}>
      <Filters>
        <SelectFilter name="action" label="Subject" choices={subjects} />
        <DateFilter name="from" label="From" utc />
        <DateFilter name="to" label="To" utc />
      </Filters>
      <DataList
        list={list}
        query={lines}
        asked={asked}
        hint="Older entries may still match: see below."
        empty={<Empty title="No changes yet">Whatever somebody changes here is written down.</Empty>}
      />
    </div>
  );
}

const names = ["action", "sort", "before", "after"] as const;

function Who({ line }: { line: AuditLine }) {
  return (
    <>
      {line.actor}
      {line.address ? <div className={styles.address}>{line.address}</div> : null}
    </>
  );
}

type SubjectKind = NonNullable<AuditLine["subject"]>["kind"];

/** What has a page of its own. */
const pages: Partial<Record<SubjectKind, (uuid: string) => string>> = {
  location: (uuid) => `/locations/${uuid}`,
  lead: (uuid) => `/leads/${uuid}`,
  run: (uuid) => `/imports/${uuid}`,
};

function Subject({ line: { subject } }: { line: AuditLine }) {
  if (!subject) return null;
  if (subject.name === null && subject.kind !== "run") return `a ${subject.kind} that is deleted`;
  const address = pages[subject.kind]?.(subject.uuid);
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

/** The members of the detail in one line, such as "name: Website forms, expiresAt: none". */
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
