import { Component, type ReactNode } from "react";
import { reportConnection } from "../api/connection.js";
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
 * loaded, because the server is gone or has been updated; then reloading is the way on. React has no other form for
 * this than a class.
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
    return (
      <Failure
        error={isLoadFailure(error) ? new Unreachable(error) : error}
        retry={() => window.location.reload()}
      />
    );
  }
}

/** Each browser words it differently, and the build tool has words of its own for style sheets. */
function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|preload CSS/i.test(error.message)
  );
}
