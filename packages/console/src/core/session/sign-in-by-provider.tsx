import { useMutation } from "@tanstack/react-query";
import { Alert, Anchor, Button, Divider, Loader, Stack } from "@mantine/core";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain } from "../api/errors.js";
import { useApi } from "../api/queries.js";
import { useEnterSession } from "./session.js";
import { SignInCard, signInProblem } from "./sign-in-form.js";

const pageKey = "gatehouse-page";

/** Where to return after signing in with the provider. Always a path of the console. */
const returnPath = {
  write: (path: string) => sessionStorage.setItem(pageKey, path),
  take: (): string => {
    const path = sessionStorage.getItem(pageKey) ?? "/";
    sessionStorage.removeItem(pageKey);
    return path.startsWith("/") && !path.startsWith("//") ? path : "/";
  },
};

/** The OpenID provider, if one is configured, and how to start signing in. */
export function useProvider() {
  const ways = useApi("getSignInWays");
  const start = useMutation({
    mutationFn: () => request("startProviderSignIn"),
    onSuccess: ({ address }) => {
      returnPath.write(window.location.pathname + window.location.search);
      window.location.assign(address);
    },
  });
  return { provider: ways.data?.provider, start };
}

export function ProviderButton() {
  const { provider, start } = useProvider();
  if (!provider) return null;
  return (
    <Stack gap="md" mt="md">
      <Divider label="or" labelPosition="center" />
      {start.error ? (
        <Alert color="red" role="alert" p="sm">
          {signInProblem(start.error)}
        </Alert>
      ) : null}
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending} fullWidth>
        Sign in with {provider.name}
      </Button>
    </Stack>
  );
}

/**
 * The provider redirects to this page. The page posts the answer, because only a same-site request carries the strict
 * cookie that binds it to this browser.
 */
export function SignInByProvider() {
  const enter = useEnterSession();
  const [, navigate] = useLocation();
  const signIn = useMutation({
    mutationFn: (answer: string) => request("signInByProvider", { body: { answer } }),
    onSuccess: (session) => {
      enter(session);
      navigate(returnPath.take(), { replace: true });
    },
  });
  const { mutate } = signIn;
  useEffect(() => {
    const answer = window.location.search;
    // The answer works only once and does not belong into the history.
    window.history.replaceState(null, "", window.location.pathname);
    mutate(answer);
  }, [mutate]);

  const failure = signIn.error ? explain(signIn.error) : undefined;
  return (
    <SignInCard title="Signing in">
      {failure ? (
        <Stack gap="md">
          <Alert color="red" role="alert" p="sm">
            {failure.title}. {failure.detail}.
          </Alert>
          <Anchor href="/" size="sm">
            Back to the sign-in page
          </Anchor>
        </Stack>
      ) : (
        <Loader aria-label="Loading" type="dots" />
      )}
    </SignInCard>
  );
}
