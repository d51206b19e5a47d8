import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain, isRefusedAs, isSignedOut } from "../api/failure.js";
import { useEnterSession } from "./session.js";
import { SignInCard } from "./sign-in-card.js";
import { refusal, SignInForm } from "./sign-in-form.js";

/**
 * The link invites somebody who has an account into another organization. Whoever is signed in to that account accepts by a click;
 * whoever is not, or is signed in as somebody else, signs in first.
 */
export function AcceptInvitation({ token }: { token: string }) {
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
                  : refusal(accept.error)}
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
