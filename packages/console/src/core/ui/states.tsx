import type { UseQueryResult } from "@tanstack/react-query";
import { Alert, Button, Skeleton } from "@mantine/core";
import { Component, type ReactNode, useEffect, useRef } from "react";
import { explain, Unreachable } from "../api/errors.js";
import { reportConnection, useConnectionLost } from "../api/query-client.js";
import { CertificateNote } from "../session/api-address.js";
import { useSession } from "../session/session.js";
import { Code } from "./copyable.js";
import { IconAlertTriangle, IconRefresh } from "./icons.js";
import styles from "./states.module.css";
import { texts } from "./texts.js";

/** An empty state, with the next action or the command to run. */
export function Empty({
  title,
  children,
  command,
  operatorCommand,
  action,
}: {
  title: string;
  children?: ReactNode;
  command?: string;
  /** Shown to operators, who have a shell on the server. */
  operatorCommand?: string;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children ? <div className={styles.text}>{children}</div> : null}
      {command ? (
        <div className={styles.command}>
          <Code text={command} label={texts.command} copyLabel={texts.copyCommand} />
          <CertificateNote className={styles.note} />
        </div>
      ) : null}
      {operatorCommand ? <OperatorCommand text={operatorCommand} /> : null}
      {action}
    </div>
  );
}

function OperatorCommand({ text }: { text: string }) {
  const { user } = useSession();
  if (!user.isOperator) return null;
  return (
    <div className={styles.command}>
      <p className={styles.note}>{texts.operatorCommand}</p>
      <Code text={text} label={texts.command} copyLabel={texts.copyCommand} />
    </div>
  );
}

export function NoSuchPage() {
  return <Empty title={texts.pageNotFound}>{texts.pageNotFoundHint}</Empty>;
}

/** For viewers on pages that only change something. */
export function NotAllowed() {
  return <Empty title={texts.notAllowed}>{texts.notAllowedHint}</Empty>;
}

/** Shows the data of a query, or `loading`. If a refresh fails, the error is shown above the old data. */
export function Loaded<Data>({
  query,
  loading = <RowsLoading />,
  children,
}: {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  return (
    <>
      <Failure error={query.error} retry={() => void query.refetch()} />
      {query.isPending ? loading : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}

/** Nothing without an error. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null;
  const { title, detail, requestId } = explain(error);
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
      <p className={styles.detail}>{detail}</p>
      {requestId ? <p className={styles.detail}>{texts.requestId(requestId)}</p> : null}
      {retry ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          onClick={retry}
          className={styles.retry}
        >
          {texts.tryAgain}
        </Button>
      ) : null}
    </Alert>
  );
}

/** Placeholders of a table: headings and rows, as high as those that come. */
export function RowsLoading({ rows = 8 }: { rows?: number }) {
  return (
    <output aria-label={texts.loading}>
      {Array.from({ length: rows + 1 }, (_, row) => (
        <span key={row} className={styles.row}>
          {["60%", "75%", "50%", "40%"].map((width) => (
            <Skeleton key={width} height={row === 0 ? 8 : 12} radius="sm" width={width} />
          ))}
        </span>
      ))}
    </output>
  );
}

interface Props {
  children: ReactNode;
  /** The error is cleared when this changes. */
  page?: string;
}

interface State {
  error: unknown;
  page: string | undefined;
}

/**
 * Catches render errors of a page and keeps the frame around it. Most often a script could not be loaded, because the
 * server is gone or was updated. React needs a class for this.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, page: undefined };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isLoadFailure(error)) reportConnection(true);
  }

  static getDerivedStateFromProps({ page }: Props, state: State): Partial<State> | null {
    return page === state.page ? null : { page, error: null };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (isLoadFailure(error)) return <LoadFailure error={error} />;
    return <Failure error={error} retry={reload} />;
  }
}

const reloadedForKey = "gatehouse-reloaded-for";

/**
 * A failed script stays failed until the page is reloaded. So the page is reloaded when the server is back, but only
 * once per failure, to avoid a reload loop.
 */
function LoadFailure({ error }: { error: Error }) {
  const lost = useConnectionLost();
  const wasLost = useRef(false);
  useEffect(() => {
    // Not every browser names the script, so the path is included.
    const failure = `${window.location.pathname} ${error.message}`;
    if (wasLost.current && !lost && sessionStorage.getItem(reloadedForKey) !== failure) {
      sessionStorage.setItem(reloadedForKey, failure);
      reload();
    }
    wasLost.current = lost;
  }, [lost, error]);
  return <Failure error={new Unreachable(error)} retry={reload} />;
}

function reload(): void {
  window.location.reload();
}

/** Browsers word it differently; Vite has its own message for style sheets. */
function isLoadFailure(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|preload CSS/i.test(error.message)
  );
}
