import { Component, useEffect, useRef, type ReactNode } from "react";
import { reportConnection, useConnectionLost } from "../api/connection.js";
import { Unreachable } from "../api/failure.js";
import { Failure } from "./states.js";

interface Props {
  children: ReactNode;
  /** Which page is inside. Another one gets another chance. */
  page?: string;
}

interface State {
  error: unknown;
  page: string | undefined;
}

/**
 * Catches what a page throws while it is drawn, so that the frame around it stays. Most often its script could not be
 * loaded, because the server is gone or has been updated. React has no other form for this than a class.
 */
export class Boundary extends Component<Props, State> {
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
 * React and the browser both keep a failed script for as long as the page lives, so the page is reloaded when the server
 * answers again; once for each, or one that is missing for good would have it reloaded for ever.
 */
function LoadFailure({ error }: { error: Error }) {
  const lost = useConnectionLost();
  const wasLost = useRef(false);
  useEffect(() => {
    // Not every browser names the script in its message.
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

/** Each browser words it differently, and the build tool has words of its own for style sheets. */
function isLoadFailure(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|preload CSS/i.test(error.message)
  );
}
