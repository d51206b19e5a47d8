import { Alert, Anchor, Loader, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain } from "../api/failure.js";
import { rememberedPage } from "./remembered-page.js";
import { useEnterSession } from "./session.js";
import { SignInCard } from "./sign-in-card.js";

/**
 * Where the provider sends people back to. The page hands the answer on, because only a request of our own page brings
 * the strict cookies along that bind it to this browser.
 */
export function SignInByProvider() {
  const enter = useEnterSession();
  const [, navigate] = useLocation();
  const signIn = useMutation({
    mutationFn: (answer: string) => request("signInByProvider", { body: { answer } }),
    onSuccess: (session) => {
      enter(session);
      navigate(rememberedPage.take(), { replace: true });
    },
  });
  const { mutate } = signIn;
  useEffect(() => {
    const answer = window.location.search;
    // It is worth nothing after this, and has no place in the history.
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
