import { useWindowEvent } from "@mantine/hooks";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { Router, type AroundNavHandler } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { Confirm, type Confirmation } from "../ui/form.js";
import { texts } from "./texts.js";

type Guard = (id: string, question: Confirmation | null, address: string) => void;
const GuardContext = createContext<Guard>(() => undefined);

/** Leaving a page changes nothing. */
const noChange = { error: null, isPending: false, reset: () => undefined };

/**
 * Asks before a link or the back button leaves the page. For closing the page, the browser has its own dialog.
 * `question` must be a stable object.
 */
export function useLeaveWarning(question: Confirmation | null): void {
  const guard = useContext(GuardContext);
  const id = useId();
  // The page may change its own search parameters.
  const search = useSearch();
  useEffect(() => {
    guard(id, question, window.location.pathname + (search && `?${search.replace(/^\?/, "")}`));
    return () => guard(id, null, "");
  }, [guard, id, question, search]);
  useWindowEvent("beforeunload", (event) => {
    if (question) event.preventDefault();
  });
}

/** Asks before edits are lost. */
export function useUnsavedWarning(isUnsaved: boolean): void {
  useLeaveWarning(isUnsaved ? texts.unsaved : null);
}

export function LeaveGuard({ children }: { children: ReactNode }) {
  // A page may have several forms.
  const guards = useRef(new Map<string, { address: string; question: Confirmation }>());
  const [confirming, setConfirming] = useState<{ question: Confirmation; leave: () => void } | null>(null);
  const guard = useCallback<Guard>((id, question, address) => {
    if (question) guards.current.set(id, { address, question });
    else guards.current.delete(id);
  }, []);
  const aroundNavigation = useCallback<AroundNavHandler>((navigate, to, options) => {
    const [first] = guards.current.values();
    if (first) setConfirming({ question: first.question, leave: () => navigate(to, options) });
    else navigate(to, options);
  }, []);
  // Listeners run in the order of registration. Layout effects run before the router's effects.
  useLayoutEffect(() => {
    const holdBack = (event: PopStateEvent) => {
      const [first] = guards.current.values();
      if (!first) return;
      // The address has already changed. Restore it before the router notices.
      event.stopImmediatePropagation();
      const { address, question } = first;
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
        confirmation={confirming && { ...confirming.question, cancel: texts.stay }}
        change={noChange}
        onClose={stay}
        onConfirm={() => {
          guards.current.clear();
          stay();
          confirming?.leave();
        }}
      />
    </GuardContext>
  );
}
