import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { SignInRequest } from "@gatehouse-parking/contract/console";
import { request } from "../api/client.js";
import { explain, Refused, Unreachable } from "../api/failure.js";
import { useEnterSession } from "./session.js";
import { SignInCard } from "./sign-in-card.js";

export function SignIn() {
  const enter = useEnterSession();
  const form = useForm<SignInRequest>({
    initialValues: { email: "", password: "" },
    validate: {
      email: (value) => (value.trim() === "" ? "Enter your e-mail address" : null),
      password: (value) => (value === "" ? "Enter your password" : null),
    },
  });
  const signIn = useMutation({
    mutationFn: (body: SignInRequest) => request("signIn", { body }),
    onSuccess: enter,
  });

  return (
    <SignInCard
      title="Sign in"
      hint="No account yet? Ask an admin of your organization or the operator of this service to invite you."
    >
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
            data-autofocus
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps("password")}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignInCard>
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
