import { useDocumentTitle } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { Alert, Button, PasswordInput, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { Session, SignInRequest } from "@gatehouse-parking/contract/console";
import { request } from "../api/client.js";
import { explain, isRefusedAs, Refused, Unreachable } from "../api/errors.js";
import { Logo } from "../ui/icons.js";
import styles from "./sign-in.module.css";

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
  // After the right password of a user with a second factor. Password and code are then sent together.
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initialValues: { email, password: "", code: "" },
    validate: {
      email: (value) => (value.trim() === "" ? "Enter your e-mail address" : null),
      password: (value) => (value === "" ? "Enter your password" : null),
      code: (value) => (needsCode && value.trim() === "" ? "Enter the code" : null),
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
        {signIn.error && !isRefusedAs(signIn.error, "secondFactorNeeded") ? (
          <Alert color="red" role="alert" p="sm">
            {signInProblem(signIn.error)}
          </Alert>
        ) : null}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          data-autofocus={email === "" || undefined}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus={email !== "" || undefined}
          {...form.getInputProps("password")}
        />
        {needsCode ? <CodeInput {...form.getInputProps("code")} /> : null}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

export function signInProblem(error: unknown): string {
  if (error instanceof Refused && error.status === 429) {
    return `Too many attempts. Try again in ${formatWait(error.body.retryAfter ?? 60)}.`;
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
      label="Code"
      description="From your authenticator app, or one of your recovery codes"
      autoComplete="one-time-code"
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      {...props}
    />
  );
}
