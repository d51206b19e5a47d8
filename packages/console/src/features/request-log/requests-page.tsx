import { Badge, Button } from "@mantine/core";
import { errors, operationNames } from "@gatehouse-parking/contract";
import type { AnswerOf, LoggedRequest } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { choice, utcDays, type Filter } from "../../core/lists/filters.js";
import { List, useList, type ListDefinition } from "../../core/lists/list.js";
import { useOrganization } from "../../core/session/session.js";
import { Identifier } from "../../core/ui/copyable.js";
import { Freshness, Page } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty } from "../../core/ui/states.js";
import type { Column } from "../../core/ui/table.js";
import { Time } from "../../core/ui/time.js";
import styles from "./request-log.module.css";
import { texts } from "./texts.js";
import { formatBytes } from "../../core/ui/format.js";

export function requestPath({ uuid }: Pick<LoggedRequest, "uuid">): string {
  return `/requests/${uuid}`;
}

export const requestColumns: Column<LoggedRequest>[] = [
  {
    header: texts.columns.answered,
    time: (request) => request.at,
    cell: (request) => (
      <Link href={requestPath(request)}>
        <Time value={request.at} withZone={false} />
      </Link>
    ),
    sort: "time",
  },
  { header: texts.columns.operation, cell: (request) => request.operation },
  { header: texts.columns.status, cell: (request) => <Status request={request} /> },
  { header: texts.columns.reason, cell: (request) => <Reason request={request} />, wrap: true },
  {
    header: texts.columns.import,
    cell: (request) =>
      request.referenceUuid === null ? null : (
        <Link href={`/imports/${request.referenceUuid}`} aria-label={texts.columns.showImport}>
          {texts.columns.show}
        </Link>
      ),
  },
  {
    header: texts.columns.size,
    cell: ({ bodyBytes }) => (bodyBytes === null ? "–" : formatBytes(bodyBytes)),
    align: "right",
    from: "desktop",
    optional: true,
  },
  {
    header: texts.columns.duration,
    cell: ({ durationMs }) => (durationMs === null ? "–" : `${Math.round(durationMs)} ms`),
    align: "right",
    from: "tablet",
  },
  {
    header: texts.columns.requestId,
    cell: ({ requestId }) => <Identifier value={requestId} label={texts.columns.copyRequestId} />,
    grow: true,
    from: "desktop",
  },
];

const keyColumn: Column<LoggedRequest> = {
  header: texts.columns.key,
  cell: ({ apiKey }) => (
    <Link href={`/settings/api-keys/${apiKey.uuid}`}>{apiKey.name || `${apiKey.prefix}…`}</Link>
  ),
  from: "tablet",
};

export function Status({ request: { status } }: { request: LoggedRequest }) {
  if (status === null) return <Badge color="gray">{texts.columns.noAnswer}</Badge>;
  return <Badge color={colorOf(status)}>{status}</Badge>;
}

function colorOf(status: number): string {
  if (status < 400) return "teal";
  if (status === 429) return "yellow";
  return "red";
}

function Reason({ request: { status, reason } }: { request: LoggedRequest }) {
  if (status === null) return <>{texts.columns.clientGone}</>;
  if (reason === null) return null;
  const known = reason in errors ? errors[reason as keyof typeof errors] : undefined;
  return (
    <>
      <span className="monospace">{reason}</span>
      {known ? <span className={styles.meaning}>{known.message}</span> : null}
    </>
  );
}

const [first, ...others] = requestColumns as [Column<LoggedRequest>, ...Column<LoggedRequest>[]];
const list: ListDefinition<"listRequests"> = {
  route: "listRequests",
  name: "requests",
  label: texts.title,
  columns: [first, keyColumn, ...others],
  rowKey: (request) => request.uuid,
  href: requestPath,
  usualSort: "newest",
  exported: { route: "downloadRequests" },
};
const filters: Filter[] = [
  choice("outcome", texts.columns.status, texts.outcomes),
  choice(
    "operation",
    texts.columns.operation,
    Object.fromEntries(operationNames.map((name) => [name, name])),
  ),
  {
    kind: "choice",
    name: "reason",
    label: texts.columns.reason,
    searchable: true,
    choices: Object.keys(errors).map((name) => ({ value: name, label: name })),
  },
  utcDays,
  { kind: "text", name: "requestId", label: texts.columns.requestId },
];

/** All requests with a key of the organization, including refused ones. */
export default function RequestsPage() {
  const { params } = useQueryState();
  const keys = useApi("listApiKeys").data?.data ?? [];
  const choices = keys.map(({ uuid, name, prefix }) => ({ value: uuid, label: `${name} (${prefix}…)` }));
  const keyFilter: Filter = {
    kind: "choice",
    name: "apiKey",
    label: texts.columns.key,
    searchable: true,
    choices,
  };
  const isNewest = !params.has("before") && !params.has("after") && !params.has("sort");
  const found = useList(list, { filters: [keyFilter, ...filters], live: isNewest });
  const { answer } = found;
  const { isDemo } = useOrganization();
  const hasSandbox = useHasFeature("sandbox") && isDemo;
  return (
    <Page
      title={texts.title}
      description={answer.data ? describe(answer.data) : texts.description}
      actions={<Freshness query={answer} />}
    >
      <List
        found={found}
        hint={texts.hint}
        empty={
          <Empty
            title={texts.empty.title}
            action={
              <Button component={Link} href={hasSandbox ? "/sandbox" : "/settings/api-keys"}>
                {hasSandbox ? texts.empty.trySandbox : texts.empty.showKeys}
              </Button>
            }
          >
            {texts.empty.text}
          </Empty>
        }
      />
    </Page>
  );
}

function describe({ keptDays, keptRows }: AnswerOf<"listRequests">): string {
  return keptDays === 0 ? texts.off : texts.kept(keptDays, keptRows);
}
