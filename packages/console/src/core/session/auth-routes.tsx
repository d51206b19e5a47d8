import { Center, Loader } from "@mantine/core";
import { Fragment, lazy, type ReactNode, Suspense } from "react";
import { Route, Switch } from "wouter";
import { ErrorBoundary, Failure } from "../ui/states.js";
import { SessionContext, useEnterSession, useSessionQuery } from "./session.js";
import { ProviderButton, SignInByLink, SignInByProvider, SignInCard, SignInForm } from "./sign-in.js";
import styles from "./sign-in.module.css";
import { texts } from "./texts.js";

const SignInAgain = lazy(() => import("./sign-in-again.js"));

/** The sign-in pages, or `children` for signed-in users. The address stays during sign-in, so links keep working. */
export function AuthRoutes({ children }: { children: ReactNode }) {
  return (
    <Switch>
      <Route path="/sign-in/provider">
        <SignInByProvider />
      </Route>
      <Route path="/sign-in">
        <SignInByLink />
      </Route>
      <Route>
        <SignedInRoutes>{children}</SignedInRoutes>
      </Route>
    </Switch>
  );
}

function SignedInRoutes({ children }: { children: ReactNode }) {
  const session = useSessionQuery();
  if (session.isPending) return <PageLoader />;
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
      <ErrorBoundary>
        <Suspense fallback={<PageLoader />}>
          <Fragment key={session.data.user.uuid}>{children}</Fragment>
        </Suspense>
      </ErrorBoundary>
      <Suspense fallback={null}>{session.data.hasEnded ? <SignInAgain /> : null}</Suspense>
    </SessionContext>
  );
}

function PageLoader() {
  return (
    <Center h="60vh">
      <Loader aria-label={texts.loading} type="dots" />
    </Center>
  );
}

function SignIn() {
  const enter = useEnterSession();
  return (
    <SignInCard title={texts.signIn.title} hint={texts.signIn.noAccount}>
      <SignInForm onSignedIn={enter} />
      <ProviderButton />
    </SignInCard>
  );
}
