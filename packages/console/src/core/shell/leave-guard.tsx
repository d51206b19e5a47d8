import { useWindowEvent } from "@mantine/hooks";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { Router, type AroundNavHandler } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { Confirm, type Confirmation } from "../ui/form.js";
import { texts } from "./texts.js";

const GuardContext = createContext<(question: Confirmation | null, address: string) => void>(() => undefined);

/** Leaving a page changes nothing. */
const noChange = { error: null, isPending: false, reset: () => undefined };

/**
 * Asks before a link or the back button leaves the page. For closing the page, the browser has its own dialog.
 * `question` must be a stable object.
 */
export function useLeaveWarning(question: Confirmation | null): void {
  const guard = useContext(GuardContext);
  // The page may change its own search parameters.
  const search = useSearch();
  useEffect(() => {
    guard(question, window.location.pathname + (search && `?${search.replace(/^\?/, "")}`));
    return () => guard(null, "");
  }, [guard, question, search]);
  useWindowEvent("beforeunload", (event) => {
    if (question) event.preventDefault();
  });
}

export function LeaveGuard({ children }: { children: ReactNode }) {
  const guarded = useRef<{ address: string; question: Confirmation } | null>(null);
  const [confirming, setConfirming] = useState<{ question: Confirmation; leave: () => void } | null>(null);
  const guard = useCallback((question: Confirmation | null, address: string) => {
    guarded.current = question && { address, question };
  }, []);
  const aroundNavigation = useCallback<AroundNavHandler>((navigate, to, options) => {
    if (guarded.current === null) navigate(to, options);
    else setConfirming({ question: guarded.current.question, leave: () => navigate(to, options) });
  }, []);
  // Listeners run in the order of registration. Layout effects run before the router's effects.
  useLayoutEffect(() => {
    const holdBack = (event: PopStateEvent) => {
      if (guarded.current === null) return;
      // The address has already changed. Restore it before the router notices.
      event.stopImmediatePropagation();
      const { address, question } = guarded.current;
      window.history.pushState(window.history.state, "", address);
      setConfirming({ question, leave: () => window.history.back() });
    };
    window.addEventListener("popstate", holdBack);
    return () => window.removeEventListener("popstate", holdBack);
  }, []);
  const stay = () => setConfirming(null);
  return (
    <GuardContext value={guard}>
      <Router aroundNav={aroundNavigation}>{children}</Router>
      <Confirm
        confirmation={confirming && { ...confirming.question, cancel: texts.stay, isDangerous: true }}
        change={noChange}
        onClose={stay}
        onConfirm={() => {
          guarded.current = null;
          stay();
          confirming?.leave();
        }}
      />
    </GuardContext>
  );
}
