import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { Session, SignInRequest } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { request } from "../api/client.js";
import { explain, isRefusedAs, Refused, Unreachable } from "../api/failure.js";
import { CodeInput } from "./code-input.js";

export function SignInForm({
  email = "",
  onSignedIn,
}: {
  /** The address of the person who is most likely to sign in. */
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  // Once the password was right, for somebody with a second factor. Both go along together then.
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
            {refusal(signIn.error)}
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

export function refusal(error: unknown): string {
  if (error instanceof Refused && error.status === 429) {
    return `Too many attempts. Try again in ${inWords(error.body.retryAfter ?? 60)}.`;
  }
  // Nothing to look after: signing in twice does no harm.
  const { title, detail } = explain(error instanceof Unreachable ? new Unreachable(error) : error);
  return error instanceof Refused && error.status === 401 ? title : `${title}. ${detail}`;
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
