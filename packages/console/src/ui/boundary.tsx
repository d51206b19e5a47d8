import { Component, type ReactNode } from "react";
import { reportConnection } from "../api/connection.js";
import { Unreachable } from "../api/failure.js";
import { Failure } from "./states.js";

interface State {
  error: unknown;
}

/**
 * Catches what a page throws while it is drawn, so that the frame around it stays. Most often its script could not be
 * loaded, because the server is gone or has been updated; then reloading is the way on. React has no other form for
 * this than a class.
 */
export class Boundary extends Component<{ children: ReactNode; page?: string }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isLoadFailure(error)) reportConnection(true);
  }

  /** Another page gets another chance. */
  override componentDidUpdate({ page }: { page?: string }): void {
    if (this.state.error !== null && page !== this.props.page) this.setState({ error: null });
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
