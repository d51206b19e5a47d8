import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Redirect, useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain } from "../api/failure.js";
import { useEnterSession } from "./session.js";
import { SignInCard } from "./sign-in-card.js";

/**
 * A one-time link, /sign-in#token=TOKEN as the service prints it. What is behind the # never reaches a server log, and
 * the token is spent by a click rather than by opening the page, because mail scanners open links.
 */
export function SignInByLink() {
  const enter = useEnterSession();
  const [, navigate] = useLocation();
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
  const signIn = useMutation({
    mutationFn: () => request("signInByLink", { body: { token } }),
    onSuccess: (session) => {
      enter(session);
      navigate("/", { replace: true });
    },
  });

  if (token === "") return <Redirect to="/" replace />;
  return (
    <SignInCard title="Sign in with your link">
      <Stack gap="md">
        <Text size="sm">
          This link works only once. After signing in, you can choose a password in the user menu.
        </Text>
        {signIn.error ? (
          <Alert color="red" role="alert" p="sm">
            {explain(signIn.error).title}. Ask for a new link.
          </Alert>
        ) : null}
        <Button onClick={() => signIn.mutate()} loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        <Anchor href="/" size="sm">
          Sign in with a password instead
        </Anchor>
      </Stack>
    </SignInCard>
  );
}
