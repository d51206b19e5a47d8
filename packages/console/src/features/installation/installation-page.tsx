import { Badge, Button, Group } from "@mantine/core";
import {
  maxCountedRuns,
  type HealthOrder,
  type OrganizationHealth,
} from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { SecondFactorRequired } from "../../core/account/second-factor.js";
import { lacksSecondFactor } from "../../core/api/errors.js";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { ImportStatusBadge } from "../../core/imports/import-status.js";
import type { Filter } from "../../core/lists/filters.js";
import { List, useList, type ListDefinition } from "../../core/lists/list.js";
import { useSession } from "../../core/session/session.js";
import { formatBytes, pluralize } from "../../core/ui/format.js";
import { Freshness, Page } from "../../core/ui/page.js";
import { Empty } from "../../core/ui/states.js";
import { relativeTime, Time, useNow } from "../../core/ui/time.js";
import styles from "./installation.module.css";
import { BackupAlert, ServiceHealth } from "./service-health.js";

const refreshMs = 60_000;

/** The start page of operators. */
export default function InstallationPage() {
  const service = useApi("getServiceHealth", { refetchMs: refreshMs });
  return (
    <OperatorPage>
      <Page
        title="All organizations"
        description="How this installation is, and what needs attention in it."
        actions={
          <>
            <Freshness query={service} />
            <Button component={Link} href="/organizations" variant="default">
              Manage organizations
            </Button>
          </>
        }
      >
        <BackupAlert schedule={service.data?.scheduledBackups} />
        <OrganizationList />
        <ServiceHealth query={service} />
      </Page>
    </OperatorPage>
  );
}

/** If any organization requires a second factor, so do these pages. */
export function OperatorPage({ children }: { children: ReactNode }) {
  const { user } = useSession();
  // The service refuses all operations of these pages alike, so one of them tells.
  const service = useApi("getServiceHealth", { enabled: !user.hasSecondFactor });
  return lacksSecondFactor(service.error) ? (
    <SecondFactorRequired of="all" onDone={() => void service.refetch()} />
  ) : (
    children
  );
}

const orders: { value: HealthOrder; label: string }[] = [
  { value: "attention", label: "What needs attention" },
  { value: "name", label: "Name" },
  { value: "lastRun", label: "Last run" },
  { value: "failedDay", label: "Failures, 24 hours" },
  { value: "failedWeek", label: "Failures, 7 days" },
  { value: "stored", label: "Size" },
];

const list: ListDefinition<"listOrganizationHealth"> = {
  route: "listOrganizationHealth",
  label: "Organizations",
  rowKey: (organization) => organization.uuid,
  href: (organization) => `/organizations/${organization.uuid}`,
  paging: "numbered",
  columns: [
    {
      header: "Organization",
      cell: (organization) => (
        <Group gap="xs">
          <Link href={`/organizations/${organization.uuid}`}>{organization.name}</Link>
          {organization.isDemo ? <Badge color="grape">demo</Badge> : null}
        </Group>
      ),
      wrap: true,
    },
    {
      header: "Needs attention",
      cell: (organization) => <Attention organization={organization} />,
      wrap: true,
    },
    {
      header: "Last run",
      cell: ({ uuid, lastRun, lookedAt }) =>
        lastRun ? (
          <Group gap="xs">
            <ImportStatusBadge status={lastRun.status} />
            <Link href={`/organizations/${uuid}/imports/${lastRun.referenceUuid}`}>
              <Time value={lastRun.startedAt} />
            </Link>
          </Group>
        ) : lookedAt ? (
          "never"
        ) : (
          "not known yet"
        ),
      from: "tablet",
      wrap: true,
    },
    {
      header: "Failed, 24 h",
      cell: ({ day, lookedAt }) => <FailedShare span={day} isKnown={lookedAt !== null} />,
      align: "right",
    },
    {
      header: "Failed, 7 d",
      cell: ({ week, lookedAt }) => <FailedShare span={week} isKnown={lookedAt !== null} />,
      align: "right",
      from: "tablet",
    },
    {
      header: "Stored",
      cell: ({ stored }) =>
        stored ? (
          <>
            {pluralize(stored.records, "record")}
            <br />
            {formatBytes(stored.bytes)}
          </>
        ) : (
          "–"
        ),
      align: "right",
      from: "desktop",
    },
    {
      header: "Looked at",
      cell: ({ lookedAt }) => (lookedAt ? <RelativeTime value={lookedAt} /> : "–"),
      align: "right",
      from: "desktop",
    },
  ],
};

const filters: Filter[] = [
  { kind: "text", name: "query", label: "Name or UUID" },
  { kind: "choice", name: "sort", label: "Order by attention", choices: orders },
];

function OrganizationList() {
  const found = useList(list, { filters, query: { sort: "attention" }, refetchMs: refreshMs });
  const { data } = found.answer;
  return (
    <List
      found={found}
      panel={{
        title: "Organizations",
        description: data ? <FigureAge oldest={data.oldestLook} /> : null,
        actions: <Freshness query={found.answer} />,
      }}
      hint="Type a part of its name, or how its UUID begins."
      empty={
        <Empty title="No organizations yet" action={<Link href="/organizations">Create the first one</Link>}>
          Whatever is imported and submitted belongs to one.
        </Empty>
      }
    />
  );
}

/** The service updates the figures one organization at a time. */
function FigureAge({ oldest }: { oldest: string | null }) {
  const now = useNow();
  if (oldest === null) return "Some organizations were not looked at yet; each line says of when it is.";
  return `Looked up organization by organization; the oldest figures are from ${relativeTime(oldest, now)}. What is stored is counted about once an hour.`;
}

function RelativeTime({ value }: { value: string }) {
  return (
    <time dateTime={value} title={value}>
      {relativeTime(value, useNow())}
    </time>
  );
}

function FailedShare({ span, isKnown }: { span: OrganizationHealth["day"]; isKnown: boolean }) {
  if (!isKnown || span.records === 0) return <span className={styles.quiet}>–</span>;
  const percent = (span.failed / span.records) * 100;
  const shown = percent > 0 && percent < 0.1 ? "< 0.1" : percent.toFixed(percent < 10 ? 1 : 0);
  const isCut = span.runs >= maxCountedRuns;
  const runs = `${isCut ? "the newest " : ""}${pluralize(span.runs, "run")}`;
  const title = `${span.failed.toLocaleString("en")} of ${pluralize(span.records, "record")} in ${runs}`;
  return (
    <span className={percent >= 10 ? styles.bad : undefined} title={title}>
      {percent === 0 ? "0" : shown} %
    </span>
  );
}

/** Problems of an organization, each with a link to its page. */
function Attention({ organization }: { organization: OrganizationHealth }) {
  const hasRequestLog = useHasFeature("request-log");
  const notes = notesFor(organization);
  if (notes.length === 0)
    return <span className={styles.quiet}>{organization.lookedAt ? "nothing" : "–"}</span>;
  return (
    <ul className={styles.notes}>
      {notes.map(([color, text, to, title]) => (
        <li key={text}>
          <Link
            href={`/organizations/${organization.uuid}${hasRequestLog || !to.startsWith("/requests") ? to : ""}`}
            className={styles.note}
            title={title}
          >
            <Badge color={color} className={styles.badge}>
              {text}
            </Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Note = readonly [color: "red" | "yellow", text: string, to: string, title: string];

function notesFor(health: OrganizationHealth): Note[] {
  const { lastRun, clockWarnings, drifted, limitedDay } = health;
  const notes: (Note | false)[] = [
    lastRun?.status === 2 && [
      "red",
      "last run failed",
      `/imports/${lastRun.referenceUuid}`,
      "Every record of it failed",
    ],
    ...health.failingKeys.map(({ uuid, name, prefix, requests, refused }): Note => {
      const title = `${refused} of ${requests} requests in 24 hours were refused`;
      return ["red", `key ${name || prefix} failing`, `/settings/api-keys/${uuid}`, title];
    }),
    clockWarnings > 0 && [
      "yellow",
      clockWarnings === 1 ? "clock warning" : `${clockWarnings} clock warnings`,
      "",
      "Times that look like local times sent with a Z",
    ],
    drifted > 0 && [
      "yellow",
      `${pluralize(drifted, "record")} drifted`,
      "/imports",
      "Sent again with other values than are stored",
    ],
    ...health.limitsNear.map(({ operation, used, limit }): Note => {
      const title = "Requests in the window when it was looked at";
      return ["yellow", `${operation} at ${used} of ${limit}`, "", title];
    }),
    limitedDay > 0 && [
      "yellow",
      `${limitedDay.toLocaleString("en")} over the limit`,
      "/requests?outcome=limited",
      "Requests answered 429 in 24 hours",
    ],
  ];
  return notes.filter((note) => note !== false);
}
