import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { ActionIcon, Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { isNotFound } from "../api/errors.js";
import { useNoteRecentPage } from "../session/recent-pages.js";
import { IconRefresh } from "./icons.js";
import styles from "./page.module.css";
import { Empty, Failure, RowsLoading } from "./states.js";
import { useNow } from "./time.js";
import { texts } from "./texts.js";

/** The frame of a page: its only first-level heading, a description and actions. */
export function Page({
  title,
  heading = title,
  description,
  actions,
  children,
}: {
  title: string;
  heading?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(`${title} · Gatehouse`);
  useNoteRecentPage(title);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title}>{heading}</h1>
          {description ? <div className={styles.description}>{description}</div> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

export interface PanelProps {
  id?: string;
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** For content with its own spacing, such as a table. */
  flush?: boolean;
}

/** A bordered surface with an optional heading. */
export function Panel({ id, title, description, actions, children, flush = false }: PanelProps) {
  return (
    <section id={id} className={styles.panel}>
      {title || actions ? (
        <header className={styles.panelHeader}>
          <div className={styles.panelHeading}>
            {title ? <h2 className={styles.panelTitle}>{title}</h2> : null}
            {description ? <p className={styles.panelDescription}>{description}</p> : null}
          </div>
          {actions ? <div className={styles.panelActions}>{actions}</div> : null}
        </header>
      ) : null}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}

interface DangerousAction {
  title: string;
  description: ReactNode;
  button: ReactNode;
}

/** At the end of a page: what is hard to undo, apart from everything else. */
export function DangerZone({ actions }: { actions: readonly DangerousAction[] }) {
  return (
    <section className={`${styles.panel} ${styles.danger}`}>
      <header className={styles.panelHeader}>
        <h2 className={styles.panelTitle}>{texts.dangerZone}</h2>
      </header>
      {actions.map(({ title, description, button }) => (
        <div key={title} className={styles.dangerRow}>
          <div className={styles.panelHeading}>
            <strong>{title}</strong>
            <p className={styles.panelDescription}>{description}</p>
          </div>
          {button}
        </div>
      ))}
    </section>
  );
}

/** Shows each part once all parts above it have loaded, so that nothing moves. */
export function InOrder({ children }: { children: ReactNode }) {
  return <div className={styles.inOrder}>{children}</div>;
}

/** Older data means that refreshing fails. */
const oldMs = 150_000;

/** Shows the age of the data, with a refresh button. */
export function Freshness({
  query,
}: {
  query: Pick<UseQueryResult, "dataUpdatedAt" | "isFetching" | "error" | "refetch">;
}) {
  const now = useNow();
  const at = `${new Date(query.dataUpdatedAt).toISOString().slice(11, 19)} UTC`;
  const isLoaded = query.dataUpdatedAt !== 0;
  const isOld = isLoaded && (query.error !== null || now - query.dataUpdatedAt > oldMs);
  return (
    // Takes its place before the data is there, so that nothing moves.
    <span
      className={isOld ? styles.old : styles.fresh}
      style={isLoaded ? undefined : { visibility: "hidden" }}
    >
      {isOld ? texts.outdated(at) : texts.updated(at)}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={texts.refresh}
        loading={query.isFetching}
        onClick={() => void query.refetch()}
      >
        <IconRefresh size={14} />
      </ActionIcon>
    </span>
  );
}

/** In place of a panel with a table. */
export function PanelLoading() {
  return (
    <Panel flush>
      <RowsLoading />
    </Panel>
  );
}

/** In place of a page whose code is loading: heading, tools and a table. */
export function PageLoading() {
  return (
    <div className={styles.page}>
      <div className={styles.header}>
        <Skeleton height={22} width={180} />
      </div>
      <Skeleton height={36} maw={320} />
      <PanelLoading />
    </div>
  );
}

/** In place of a page whose data is loading or could not be loaded. `children` explain why it may not be found. */
export function UnloadedPage({
  title,
  query,
  children,
}: {
  title: string;
  query: Pick<UseQueryResult, "isPending" | "error" | "refetch">;
  children?: ReactNode;
}) {
  return (
    <Page title={title}>
      {query.isPending ? <PanelLoading /> : null}
      {isNotFound(query.error) ? (
        <Empty title={texts.notFound(title)}>{children}</Empty>
      ) : query.error ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : null}
    </Page>
  );
}
