import { useWindowEvent } from "@mantine/hooks";
import {
  createContext,
  lazy,
  Suspense,
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

const LeaveQuestion = lazy(() => import("./leave-question.js"));
const GuardContext = createContext<(question: LeavingQuestion | null, address: string) => void>(
  () => undefined,
);

/** What would be lost. */
export interface LeavingQuestion {
  title: string;
  consequences: string;
  /** What the button says that leaves all the same. */
  leave: string;
}

/**
 * While there is a question, a link or the back button asks it before another page of the console is opened. Where the
 * whole page is closed, the browser asks in its own words. The question must be the same object as long as it is the same.
 */
export function useAskBeforeLeaving(question: LeavingQuestion | null): void {
  const guard = useContext(GuardContext);
  // The page may change its own address, and is to be found there again.
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
  const guarded = useRef<{ address: string; question: LeavingQuestion } | null>(null);
  const [asked, setAsked] = useState<{ question: LeavingQuestion; leave: () => void } | null>(null);
  const guard = useCallback((question: LeavingQuestion | null, address: string) => {
    guarded.current = question && { address, question };
  }, []);
  const aroundNavigation = useCallback<AroundNavHandler>((navigate, to, options) => {
    if (guarded.current === null) navigate(to, options);
    else setAsked({ question: guarded.current.question, leave: () => navigate(to, options) });
  }, []);
  // Browsers call listeners of the window in the order they came. Effects of layout are before those of the router.
  useLayoutEffect(() => {
    const holdBack = (event: PopStateEvent) => {
      if (guarded.current === null) return;
      // The address has changed already. It is put back before the router hears of it.
      event.stopImmediatePropagation();
      const { address, question } = guarded.current;
      window.history.pushState(window.history.state, "", address);
      setAsked({ question, leave: () => window.history.back() });
    };
    window.addEventListener("popstate", holdBack);
    return () => window.removeEventListener("popstate", holdBack);
  }, []);
  const stay = () => setAsked(null);
  return (
    <GuardContext value={guard}>
      <Router aroundNav={aroundNavigation}>{children}</Router>
      <Suspense fallback={null}>
        {asked ? (
          <LeaveQuestion
            question={asked.question}
            onStay={stay}
            onLeave={() => {
              guarded.current = null;
              stay();
              asked.leave();
            }}
          />
        ) : null}
      </Suspense>
    </GuardContext>
  );
}
