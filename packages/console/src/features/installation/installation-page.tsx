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
import { HealthLights } from "./health-lights.js";
import styles from "./installation.module.css";
import { BackupAlert, ServiceHealth } from "./service-health.js";
import { texts } from "./texts.js";

const refreshMs = 60_000;

/** The start page of operators. */
export default function InstallationPage() {
  const service = useApi("getServiceHealth", { refetchMs: refreshMs });
  return (
    <OperatorPage>
      <Page
        title={texts.title}
        description={texts.description}
        actions={
          <>
            <Freshness query={service} />
            <Button component={Link} href="/organizations" variant="default">
              {texts.manage}
            </Button>
          </>
        }
      >
        <HealthLights query={service} />
        <BackupAlert schedule={service.data?.scheduledBackups} />
        <OrganizationList below={<ServiceHealth query={service} />} />
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
  { value: "attention", label: texts.orders.attention },
  { value: "name", label: texts.orders.name },
  { value: "lastRun", label: texts.list.lastImport },
  { value: "failedDay", label: texts.orders.failedDay },
  { value: "failedWeek", label: texts.orders.failedWeek },
  { value: "stored", label: texts.orders.stored },
];

const list: ListDefinition<"listOrganizationHealth"> = {
  route: "listOrganizationHealth",
  label: texts.list.title,
  rowKey: (organization) => organization.uuid,
  href: (organization) => `/organizations/${organization.uuid}`,
  paging: "numbered",
  columns: [
    {
      header: texts.list.organization,
      cell: (organization) => (
        <Group gap="xs">
          <Link href={`/organizations/${organization.uuid}`}>{organization.name}</Link>
          {organization.isDemo ? <Badge color="grape">{texts.demo}</Badge> : null}
        </Group>
      ),
      wrap: true,
    },
    {
      header: texts.list.attention,
      cell: (organization) => <Attention organization={organization} />,
      wrap: true,
    },
    {
      header: texts.list.lastImport,
      cell: ({ uuid, lastRun, lookedAt }) =>
        lastRun ? (
          <Group gap="xs">
            <ImportStatusBadge status={lastRun.status} />
            <Link href={`/organizations/${uuid}/imports/${lastRun.referenceUuid}`}>
              <Time value={lastRun.startedAt} />
            </Link>
          </Group>
        ) : lookedAt ? (
          texts.list.never
        ) : (
          texts.list.unknown
        ),
      from: "tablet",
      wrap: true,
    },
    {
      header: texts.list.failedDay,
      cell: ({ day, lookedAt }) => <FailedShare span={day} isKnown={lookedAt !== null} />,
      align: "right",
    },
    {
      header: texts.list.failedWeek,
      cell: ({ week, lookedAt }) => <FailedShare span={week} isKnown={lookedAt !== null} />,
      align: "right",
      from: "tablet",
    },
    {
      header: texts.list.stored,
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
      header: texts.list.updated,
      cell: ({ lookedAt }) => (lookedAt ? <RelativeTime value={lookedAt} /> : "–"),
      align: "right",
      from: "desktop",
    },
  ],
};

const filters: Filter[] = [
  { kind: "text", name: "query", label: texts.list.filter },
  { kind: "choice", name: "sort", label: texts.orders.label, choices: orders, isShown: true },
];

/** The list has any length, so what is below it appears with it. */
function OrganizationList({ below }: { below: ReactNode }) {
  const found = useList(list, { filters, query: { sort: "attention" }, refetchMs: refreshMs });
  const { data } = found.answer;
  return (
    <>
      <List
        found={found}
        panel={{
          title: texts.list.title,
          description: data ? <FigureAge oldest={data.oldestLook} /> : null,
          actions: <Freshness query={found.answer} />,
        }}
        hint={texts.list.filterHint}
        empty={
          <Empty
            title={texts.list.empty.title}
            action={<Link href="/organizations">{texts.list.empty.action}</Link>}
          >
            {texts.list.empty.text}
          </Empty>
        }
      />
      {found.answer.isPending ? null : below}
    </>
  );
}

/** The service updates the figures one organization at a time. */
function FigureAge({ oldest }: { oldest: string | null }) {
  const now = useNow();
  if (oldest === null) return texts.list.partlyUpdated;
  return texts.list.updatedSince(relativeTime(oldest, now));
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
  const title = texts.list.failedOf(span.failed, span.records, span.runs, span.runs >= maxCountedRuns);
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
    return <span className={styles.quiet}>{organization.lookedAt ? texts.list.nothing : "–"}</span>;
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
  const words = texts.attention;
  const notes: (Note | false)[] = [
    lastRun?.status === 2 && [
      "red",
      words.lastImportFailed,
      `/imports/${lastRun.referenceUuid}`,
      words.lastImportFailedHelp,
    ],
    ...health.failingKeys.map(({ uuid, name, prefix, requests, refused }): Note => {
      const title = words.keyFailingHelp(refused, requests);
      return ["red", words.keyFailing(name || prefix), `/settings/api-keys/${uuid}`, title];
    }),
    clockWarnings > 0 && ["yellow", words.timeZone(clockWarnings), "", words.timeZoneHelp],
    drifted > 0 && ["yellow", words.differing(drifted), "/imports", words.differingHelp],
    ...health.limitsNear.map(({ operation, used, limit }): Note => {
      return ["yellow", words.nearLimit(operation, used, limit), "", words.nearLimitHelp];
    }),
    limitedDay > 0 && ["yellow", words.limited(limitedDay), "/requests?outcome=limited", words.limitedHelp],
  ];
  return notes.filter((note) => note !== false);
}
