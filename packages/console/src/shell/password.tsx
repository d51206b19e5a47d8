import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { passwordLengths } from "@gatehouse-parking/contract";
import type { ChangePasswordRequest, Session } from "@gatehouse-parking/contract/console";
import { request } from "../api/client.js";
import { sessionKey, useSession } from "../session/session.js";
import { Failure } from "../ui/states.js";

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
  const needsCurrent = session.user.hasPassword && !session.byLink;
  const client = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: "", newPassword: "", repeated: "" },
    validate: {
      currentPassword: (value) => (needsCurrent && value === "" ? "Enter your current password" : null),
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

  return (
    <form
      onSubmit={form.onSubmit(({ currentPassword, newPassword }) =>
        change.mutate(needsCurrent ? { currentPassword, newPassword } : { newPassword }),
      )}
    >
      <Stack gap="md">
        {change.error ? <Failure error={change.error} /> : null}
        <Text size="sm">You are signed in as {email}.</Text>
        {/* Password managers store the password with the name they find in the form. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {needsCurrent ? (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps("currentPassword")}
          />
        ) : null}
        <PasswordInput
          label="New password"
          description={`At least ${passwordLengths.minimum} characters, and none of the most common passwords. Several words are easier to remember than symbols.`}
          autoComplete="new-password"
          {...form.getInputProps("newPassword")}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          {...form.getInputProps("repeated")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** People who came by a link have no password, or do not know it any more, and the link works only once. */
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
              ? "You came by a sign-in link, which works only once. Your old password goes on until you choose a new one."
              : "You have no password yet, and your sign-in link works only once."}
          </span>
          <Button size="xs" variant="default" onClick={open}>
            Choose a password
          </Button>
        </Group>
      </Alert>
      <ChangePassword opened={opened} onClose={close} />
    </>
  );
}
