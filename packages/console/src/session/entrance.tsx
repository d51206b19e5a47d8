import { Center, Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Boundary } from "../ui/boundary.js";
import { Failure } from "../ui/states.js";
import { SessionContext, useSessionQuery } from "./session.js";
import { SignIn } from "./sign-in.js";
import { SignInByLink } from "./sign-in-by-link.js";
import { SignInByProvider } from "./sign-in-by-provider.js";
import styles from "./entrance.module.css";

const SignInAgain = lazy(() => import("./sign-in-again.js"));
const Inside = lazy(() => import("../shell/inside.js"));

/** The sign-in page, or what lies behind it. Signing in happens at the address that was asked for, so links survive it. */
export function Entrance() {
  return (
    <Switch>
      <Route path="/sign-in/provider">
        <SignInByProvider />
      </Route>
      <Route path="/sign-in">
        <SignInByLink />
      </Route>
      <Route>
        <Guarded />
      </Route>
    </Switch>
  );
}

function Guarded() {
  const session = useSessionQuery();
  if (session.isPending) return <Waiting />;
  if (session.data === undefined) {
    return (
      <main className={styles.failure}>
        <Failure error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data === null) return <SignIn />;
  return (
    <SessionContext value={session.data}>
      <Boundary>
        <Suspense fallback={<Waiting />}>
          <Inside key={session.data.user.uuid} />
        </Suspense>
      </Boundary>
      <Suspense fallback={null}>{session.data.hasEnded ? <SignInAgain /> : null}</Suspense>
    </SessionContext>
  );
}

function Waiting() {
  return (
    <Center h="60vh">
      <Loader aria-label="Loading" type="dots" />
    </Center>
  );
}
