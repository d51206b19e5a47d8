import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Redirect, useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain, isRefusedAs } from "../api/failure.js";
import { AcceptInvitation } from "./accept-invitation.js";
import { CodeInput } from "./code-input.js";
import { useEnterSession } from "./session.js";
import { SignInCard } from "./sign-in-card.js";
import { refusal } from "./sign-in-form.js";

/**
 * A one-time link, /sign-in#token=TOKEN as the service prints it. What is behind the # never reaches a server log, and
 * the token is spent by a click rather than by opening the page, because mail scanners open links.
 */
export function SignInByLink() {
  const enter = useEnterSession();
  const [, navigate] = useLocation();
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
  const [needsCode, setNeedsCode] = useState(false);
  const [code, setCode] = useState("");
  const signIn = useMutation({
    mutationFn: () => request("signInByLink", { body: needsCode ? { token, code } : { token } }),
    onSuccess: (session) => {
      enter(session);
      navigate("/", { replace: true });
    },
    onError: (error) => {
      if (isRefusedAs(error, "secondFactorNeeded")) setNeedsCode(true);
    },
  });

  if (token === "") return <Redirect to="/" replace />;
  if (isRefusedAs(signIn.error, "invitationOfAccount")) return <AcceptInvitation token={token} />;
  return (
    <SignInCard title="Sign in with your link">
      <Stack gap="md">
        <Text size="sm">
          This link works only once. After signing in, you can choose a password in the user menu.
        </Text>
        {signIn.error && !isRefusedAs(signIn.error, "secondFactorNeeded") ? (
          <Alert color="red" role="alert" p="sm">
            {isRefusedAs(signIn.error, "linkRefused")
              ? `${explain(signIn.error).title}. Ask for a new link.`
              : refusal(signIn.error)}
          </Alert>
        ) : null}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            signIn.mutate();
          }}
        >
          <Stack gap="md">
            {needsCode ? (
              <CodeInput required value={code} onChange={(event) => setCode(event.currentTarget.value)} />
            ) : null}
            <Button type="submit" loading={signIn.isPending} fullWidth>
              Sign in
            </Button>
          </Stack>
        </form>
        <Anchor href="/" size="sm">
          Sign in with a password instead
        </Anchor>
      </Stack>
    </SignInCard>
  );
}
