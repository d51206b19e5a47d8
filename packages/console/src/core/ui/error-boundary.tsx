import { Component, useEffect, useRef, type ReactNode } from "react";
import { Unreachable } from "../api/errors.js";
import { reportConnection, useConnectionLost } from "../api/query-client.js";
import { Failure } from "./states.js";

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
