import { Alert, Button, Group, Modal, PasswordInput, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { passwordLengths } from "@gatehouse-parking/contract";
import type { ChangePasswordRequest, Session } from "@gatehouse-parking/contract/console";
import { request } from "../api/client.js";
import { sessionKey, useSession } from "../session/session.js";
import { CodeInput } from "../session/sign-in.js";
import { Form } from "../ui/form.js";

export function ChangePassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const session = useSession();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={session.user.hasPassword ? "Change password" : "Choose a password"}
    >
      <PasswordForm session={session} onDone={onClose} />
    </Modal>
  );
}

function PasswordForm({ session, onDone }: { session: Session; onDone: () => void }) {
  const { email } = session.user;
  const { hasPassword, hasSecondFactor } = session.user;
  // A recent sign-in with the provider is enough. The service decides.
  const isProvenOtherwise = session.byLink || session.byProvider;
  const client = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: "", code: "", newPassword: "", repeated: "" },
    validate: {
      currentPassword: (value, { code }) =>
        hasPassword && !isProvenOtherwise && value === "" && code === ""
          ? `Enter your current password${hasSecondFactor ? " or a code" : ""}`
          : null,
      newPassword: (value) =>
        [...value].length < passwordLengths.minimum
          ? `Use at least ${passwordLengths.minimum} characters`
          : null,
      repeated: (value, values) => (value === values.newPassword ? null : "The passwords do not match"),
    },
  });
  const change = useMutation({
    mutationFn: (body: ChangePasswordRequest) => request("changePassword", { body }),
    onSuccess: (session) => {
      client.setQueryData(sessionKey, session);
      notifications.show({
        message: "Your password has been changed. You have been signed out everywhere else.",
      });
      onDone();
    },
  });

  const submit = ({ currentPassword, code, newPassword }: typeof form.values) =>
    change.mutate({
      newPassword,
      ...(currentPassword !== "" && { currentPassword }),
      ...(code !== "" && { code }),
    });
  return (
    <Form change={change} onSubmit={form.onSubmit(submit)} action="Save password" onCancel={onDone}>
      <Text size="sm">You are signed in as {email}.</Text>
      {/* Password managers store the password under the user name in the form. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword ? (
        <PasswordInput
          label="Current password"
          description={
            session.byProvider
              ? "Leave it empty within ten minutes of signing in with the provider."
              : undefined
          }
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
        />
      ) : null}
      {hasPassword && hasSecondFactor ? (
        <CodeInput
          label="Code, if you forgot the password"
          description="From your authenticator app, or one of your recovery codes"
          autoFocus={false}
          {...form.getInputProps("code")}
        />
      ) : null}
      <PasswordInput
        label="New password"
        description={`At least ${passwordLengths.minimum} characters. Several unrelated words are hard to guess and easy to remember.`}
        autoComplete="new-password"
        {...form.getInputProps("newPassword")}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        {...form.getInputProps("repeated")}
      />
    </Form>
  );
}

/** After signing in with a one-time link, people need a password to come back. */
export function PasswordReminder() {
  const { user, byLink, byProvider } = useSession();
  const [opened, { open, close }] = useDisclosure(false);
  if (byProvider || (user.hasPassword && !byLink)) return null;
  return (
    <>
      <Alert color="yellow" mb="md" p="sm">
        <Group justify="space-between" gap="sm">
          <span>
            {user.hasPassword
              ? "You came by a sign-in link, which works only once. Your password stays as it is until you change it."
              : "You have no password yet, and your sign-in link works only once."}
          </span>
          <Button size="xs" variant="default" onClick={open}>
            {user.hasPassword ? "Change password" : "Choose a password"}
          </Button>
        </Group>
      </Alert>
      <ChangePassword opened={opened} onClose={close} />
    </>
  );
}
