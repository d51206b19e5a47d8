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

const LeaveQuestion = lazy(() => import("./leave-question.js"));
const GuardContext = createContext<(isOn: boolean) => void>(() => undefined);

/** While it is on, a link or the back button asks before another page of the console is opened. */
export function useAskBeforeLeaving(isOn: boolean): void {
  const guard = useContext(GuardContext);
  useEffect(() => {
    guard(isOn);
    return () => guard(false);
  }, [guard, isOn]);
}

export function LeaveGuard({ children }: { children: ReactNode }) {
  const guarded = useRef<string | null>(null);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const guard = useCallback((isOn: boolean) => {
    guarded.current = isOn ? window.location.href : null;
  }, []);
  const aroundNavigation = useCallback<AroundNavHandler>((navigate, to, options) => {
    if (guarded.current === null) navigate(to, options);
    else setLeave(() => () => navigate(to, options));
  }, []);
  // Browsers call listeners of the window in the order they came. Effects of layout are before those of the router.
  useLayoutEffect(() => {
    const holdBack = (event: PopStateEvent) => {
      if (guarded.current === null) return;
      // The address has changed already. It is put back before the router hears of it.
      event.stopImmediatePropagation();
      window.history.pushState(window.history.state, "", guarded.current);
      setLeave(() => () => window.history.back());
    };
    window.addEventListener("popstate", holdBack);
    return () => window.removeEventListener("popstate", holdBack);
  }, []);
  const stay = () => setLeave(null);
  return (
    <GuardContext value={guard}>
      <Router aroundNav={aroundNavigation}>{children}</Router>
      <Suspense fallback={null}>
        {leave ? (
          <LeaveQuestion
            onStay={stay}
            onLeave={() => {
              guarded.current = null;
              stay();
              leave();
            }}
          />
        ) : null}
      </Suspense>
    </GuardContext>
  );
}
