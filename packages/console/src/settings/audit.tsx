import { Button, Group } from "@mantine/core";
import type { AuditLine } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi, useDownload } from "../api/queries.js";
import { indentJson } from "../ui/json-text.js";
import { IconDownload } from "../ui/icons.js";
import { Filters, SelectFilter } from "../ui/filters.js";
import { CursorList } from "../ui/list.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Moment } from "../ui/time.js";
import styles from "./audit.module.css";

const subjects = [
  { value: "api-key", label: "API keys" },
  { value: "location", label: "Locations" },
  { value: "organization", label: "Organization" },
  { value: "user", label: "Members" },
  { value: "lead", label: "Leads" },
];

const columns: Column<AuditLine>[] = [
  { header: "When", cell: (line) => <Moment value={line.at} /> },
  { header: "Who", cell: (line) => <Who line={line} />, breakable: true },
  { header: "Action", cell: (line) => <span className="monospace">{line.action}</span> },
  { header: "Concerning", cell: (line) => <Subject line={line} />, breakable: true },
  { header: "Detail", cell: (line) => <Detail line={line} />, from: "tablet", wrap: true },
];

/** Who changed what. Lines are only ever added. */
export default function Audit() {
  const { params } = useQueryState();
  const action = params.get("action");
  const before = params.get("before");
  const lines = useApi("listAudit", {
    query: { ...(action ? { action } : {}), ...(before ? { before } : {}) },
  });
  const filters = action ? { action } : {};
  const csv = useDownload("downloadAudit", { format: "csv" }, filters);
  const ndjson = useDownload("downloadAudit", { format: "ndjson" }, filters);
  return (
    <div className={styles.stack}>
      <Group justify="space-between" align="flex-end">
        <Filters>
          <SelectFilter name="action" label="Subject" choices={subjects} />
        </Filters>
        <Group gap="xs">
          <Button
            component="a"
            href={csv}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Export CSV
          </Button>
          <Button component="a" href={ndjson} download variant="default">
            Export NDJSON
          </Button>
        </Group>
      </Group>
      <CursorList
        label="Audit log"
        query={lines}
        columns={columns}
        rowKey={(line) => line.uuid}
        empty={<Empty title="No changes of this kind yet" />}
      />
    </div>
  );
}

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
  const name = subject.name ?? subject.uuid;
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
