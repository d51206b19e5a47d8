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
import { texts } from "./texts.js";

export function ChangePassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const session = useSession();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={session.user.hasPassword ? texts.password.change : texts.password.set}
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
          ? hasSecondFactor
            ? texts.password.currentOrCodeMissing
            : texts.password.currentMissing
          : null,
      newPassword: (value) =>
        [...value].length < passwordLengths.minimum ? texts.password.newTooShort : null,
      repeated: (value, values) => (value === values.newPassword ? null : texts.password.mismatch),
    },
  });
  const change = useMutation({
    mutationFn: (body: ChangePasswordRequest) => request("changePassword", { body }),
    onSuccess: (session) => {
      client.setQueryData(sessionKey, session);
      notifications.show({
        message: texts.password.changed,
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
    <Form change={change} onSubmit={form.onSubmit(submit)} action={texts.password.save} onCancel={onDone}>
      <Text size="sm">{texts.password.signedInAs(email)}</Text>
      {/* Password managers store the password under the user name in the form. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword ? (
        <PasswordInput
          label={texts.password.current}
          description={session.byProvider ? texts.password.currentOptional : undefined}
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
        />
      ) : null}
      {hasPassword && hasSecondFactor ? (
        <CodeInput
          label={texts.password.code}
          description={texts.password.codeHelp}
          autoFocus={false}
          {...form.getInputProps("code")}
        />
      ) : null}
      <PasswordInput
        label={texts.password.new}
        description={texts.password.newHelp}
        autoComplete="new-password"
        {...form.getInputProps("newPassword")}
      />
      <PasswordInput
        label={texts.password.repeat}
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
          <span>{user.hasPassword ? texts.password.remindToChange : texts.password.remindToSet}</span>
          <Button size="xs" variant="default" onClick={open}>
            {user.hasPassword ? texts.password.change : texts.password.set}
          </Button>
        </Group>
      </Alert>
      <ChangePassword opened={opened} onClose={close} />
    </>
  );
}
