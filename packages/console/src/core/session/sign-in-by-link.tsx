import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Redirect, useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain, isRefusedAs, isSignedOut } from "../api/errors.js";
import { useEnterSession } from "./session.js";
import { CodeInput, SignInCard, SignInForm, signInProblem } from "./sign-in-form.js";

/**
 * Handles /sign-in#token=TOKEN. The part after # never reaches a server log. A click uses the token, not opening the
 * page, because mail scanners open links.
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
              : signInProblem(signIn.error)}
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

/** Invites an existing user into another organization. They accept in a session of that account, or sign in first. */
function AcceptInvitation({ token }: { token: string }) {
  const enter = useEnterSession();
  const [, navigate] = useLocation();
  const accept = useMutation({
    mutationFn: () => request("acceptInvitation", { body: { token } }),
    onSuccess: ({ organizationUuid, session }) => {
      enter(session);
      navigate(`/organizations/${organizationUuid}`, { replace: true });
    },
  });
  const isSomebodyElse = isSignedOut(accept.error) || isRefusedAs(accept.error, "invitationOfAccount");
  return (
    <SignInCard title="Accept the invitation">
      <Stack gap="md">
        <Text size="sm">
          You are invited into another organization. It is added to the account that you have: your second
          factor and your other organizations stay as they are. Your other sessions end. If you signed in with
          a link or with the provider, the password may be removed, because somebody else may have set it;
          choose a new one afterwards.
        </Text>
        {isSomebodyElse ? (
          <>
            <Text size="sm" component="output">
              {isSignedOut(accept.error)
                ? "Sign in to the account that was invited."
                : "This is another account than the one that was invited. Sign in to that one."}
            </Text>
            <SignInForm
              onSignedIn={(session) => {
                enter(session);
                accept.mutate();
              }}
            />
          </>
        ) : (
          <>
            {accept.error ? (
              <Alert color="red" role="alert" p="sm">
                {isRefusedAs(accept.error, "linkRefused")
                  ? `${explain(accept.error).title}. Ask for a new link.`
                  : signInProblem(accept.error)}
              </Alert>
            ) : null}
            <Button onClick={() => accept.mutate()} loading={accept.isPending} fullWidth>
              Accept
            </Button>
          </>
        )}
      </Stack>
    </SignInCard>
  );
}
