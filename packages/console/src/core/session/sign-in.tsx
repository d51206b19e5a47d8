import { useDocumentTitle } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import {
  Alert,
  Anchor,
  Button,
  Divider,
  Loader,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { Session, SignInRequest } from "@gatehouse-parking/contract/console";
import { Redirect, useLocation } from "wouter";
import { request } from "../api/client.js";
import { explain, isRefusedAs, isSignedOut, Refused, Unreachable } from "../api/errors.js";
import { useApi } from "../api/queries.js";
import { Logo } from "../ui/icons.js";
import { useEnterSession } from "./session.js";
import styles from "./sign-in.module.css";
import { texts } from "./texts.js";

export function SignInCard({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(`${title} · Gatehouse`);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo size={26} />
          Gatehouse
        </div>
        <div className={styles.surface}>
          <h1 className={styles.title}>{title}</h1>
          {children}
        </div>
        {hint ? <p className={styles.hint}>{hint}</p> : null}
      </div>
    </main>
  );
}

export function SignInForm({
  email = "",
  onSignedIn,
}: {
  /** Prefills the form. */
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  // Set after the password was correct. Password and code are then sent together.
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initialValues: { email, password: "", code: "" },
    validate: {
      email: (value) => (value.trim() === "" ? texts.signIn.emailMissing : null),
      password: (value) => (value === "" ? texts.signIn.passwordMissing : null),
      code: (value) => (needsCode && value.trim() === "" ? texts.signIn.codeMissing : null),
    },
  });
  const signIn = useMutation({
    mutationFn: (body: SignInRequest) => request("signIn", { body }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (isRefusedAs(error, "secondFactorNeeded")) setNeedsCode(true);
      else if (isRefusedAs(error, "signInRefused")) setNeedsCode(false);
    },
  });
  return (
    <form
      onSubmit={form.onSubmit(({ code, ...credentials }) =>
        signIn.mutate(needsCode ? { ...credentials, code } : credentials),
      )}
      noValidate
    >
      <Stack gap="md">
        <SignInFailure error={signIn.error} />
        <TextInput
          label={texts.signIn.email}
          type="email"
          autoComplete="username"
          data-autofocus={email === "" || undefined}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={texts.signIn.password}
          autoComplete="current-password"
          data-autofocus={email !== "" || undefined}
          {...form.getInputProps("password")}
        />
        {needsCode ? <CodeInput {...form.getInputProps("code")} /> : null}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {texts.signIn.title}
        </Button>
      </Stack>
    </form>
  );
}

/** A missing code is not an error: its field appears instead. */
function SignInFailure({ error }: { error: unknown }) {
  if (!error || isRefusedAs(error, "secondFactorNeeded")) return null;
  return (
    <Alert color="red" role="alert" p="sm">
      {signInProblem(error)}
    </Alert>
  );
}

function signInProblem(error: unknown): string {
  if (isRefusedAs(error, "linkRefused")) return texts.signIn.linkRefused(explain(error).title);
  if (error instanceof Refused && error.status === 429) {
    return texts.signIn.tooManyAttempts(formatWait(error.body.retryAfter ?? 60));
  }
  // Signing in twice is harmless, so it is not reported as a change of unknown outcome.
  const { title, detail } = explain(error instanceof Unreachable ? new Unreachable(error) : error);
  return error instanceof Refused && error.status === 401 ? title : `${title}. ${detail}`;
}

function formatWait(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** It appears after the first step, so it takes the focus. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label={texts.signIn.code}
      description={texts.signIn.codeHelp}
      autoComplete="one-time-code"
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      {...props}
    />
  );
}

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
      <Divider label={texts.signIn.or} labelPosition="center" />
      <SignInFailure error={start.error} />
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending} fullWidth>
        {texts.signIn.withProvider(provider.name)}
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
    <SignInCard title={texts.provider.title}>
      {failure ? (
        <Stack gap="md">
          <Alert color="red" role="alert" p="sm">
            {failure.title}. {failure.detail}
          </Alert>
          <Anchor href="/" size="sm">
            {texts.provider.back}
          </Anchor>
        </Stack>
      ) : (
        <Loader aria-label={texts.loading} type="dots" />
      )}
    </SignInCard>
  );
}

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
    <SignInCard title={texts.link.title}>
      <Stack gap="md">
        <Text size="sm">{texts.link.text}</Text>
        <SignInFailure error={signIn.error} />
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
              {texts.signIn.title}
            </Button>
          </Stack>
        </form>
        <Anchor href="/" size="sm">
          {texts.link.passwordInstead}
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
    <SignInCard title={texts.invitation.title}>
      <Stack gap="md">
        <Text size="sm">{texts.invitation.text}</Text>
        {isSomebodyElse ? (
          <>
            <Text size="sm" component="output">
              {isSignedOut(accept.error) ? texts.invitation.signIn : texts.invitation.otherAccount}
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
            <SignInFailure error={accept.error} />
            <Button onClick={() => accept.mutate()} loading={accept.isPending} fullWidth>
              {texts.invitation.accept}
            </Button>
          </>
        )}
      </Stack>
    </SignInCard>
  );
}
