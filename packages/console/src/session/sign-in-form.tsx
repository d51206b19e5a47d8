import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { Session, SignInRequest } from "@gatehouse-parking/contract/console";
import { request } from "../api/client.js";
import { explain, Refused, Unreachable } from "../api/failure.js";

export function SignInForm({
  email = "",
  onSignedIn,
}: {
  /** Of the person who is most likely to sign in. */
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  const form = useForm<SignInRequest>({
    initialValues: { email, password: "" },
    validate: {
      email: (value) => (value.trim() === "" ? "Enter your e-mail address" : null),
      password: (value) => (value === "" ? "Enter your password" : null),
    },
  });
  const signIn = useMutation({
    mutationFn: (body: SignInRequest) => request("signIn", { body }),
    onSuccess: onSignedIn,
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
      <Stack gap="md">
        {signIn.error ? (
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
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function refusal(error: unknown): string {
  if (error instanceof Refused && error.status === 429) {
    return `Too many attempts. Try again in ${error.body.retryAfter ?? 60} seconds.`;
  }
  // Nothing to look after: signing in twice does no harm.
  const { title, detail } = explain(error instanceof Unreachable ? new Unreachable(error) : error);
  return error instanceof Refused && error.status === 401 ? title : `${title}. ${detail}`;
}
