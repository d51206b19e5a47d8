import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../api/queries.js";
import { sessionKey, useSession } from "../session/session.js";
import { Code } from "../ui/code.js";
import { Failure } from "../ui/states.js";
import { QrCode } from "./qr-code.js";
import { RecoveryCodes } from "./recovery-codes.js";

/** Password, QR code, first code, recovery codes: in this order, one after the other. */
export function SetUpSecondFactor({ onDone }: { onDone?: () => void }) {
  const client = useQueryClient();
  const [shown, setShown] = useState<{ secret: string; address: string } | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  // Only when the codes have been seen: what is shown for somebody without a second factor would take their place.
  const finish = () => {
    void client.invalidateQueries({ queryKey: sessionKey });
    void client.invalidateQueries({ queryKey: ["getSecondFactor"] });
    void client.invalidateQueries({ queryKey: ["listOwnSessions"] });
    onDone?.();
  };
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={finish} />;
  if (shown) return <FirstCode {...shown} onConfirmed={setRecoveryCodes} />;
  return <Begin onStarted={setShown} />;
}

function Begin({ onStarted }: { onStarted: (shown: { secret: string; address: string }) => void }) {
  const { user, byLink, byProvider } = useSession();
  // A recent sign-in with the provider is enough. The service decides.
  const isProvenOtherwise = byLink || byProvider;
  const [currentPassword, setCurrentPassword] = useState("");
  const start = useChange("startSecondFactor");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate({ body: currentPassword === "" ? {} : { currentPassword } }, { onSuccess: onStarted });
      }}
    >
      <Stack gap="md" maw={420}>
        <Text size="sm">
          You need an authenticator app on your phone, or a password manager that shows one-time codes. After
          your password you will then be asked for a code.
        </Text>
        {start.error ? <Failure error={start.error} /> : null}
        {user.hasPassword ? (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required={!isProvenOtherwise}
            value={currentPassword}
            onChange={(event) => setCurrentPassword(event.currentTarget.value)}
          />
        ) : null}
        <Group>
          <Button type="submit" loading={start.isPending}>
            Set up second factor
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function FirstCode({
  secret,
  address,
  onConfirmed,
}: {
  secret: string;
  address: string;
  onConfirmed: (recoveryCodes: string[]) => void;
}) {
  const [code, setCode] = useState("");
  const confirm = useChange("confirmSecondFactor");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate({ body: { code } }, { onSuccess: (answer) => onConfirmed(answer.recoveryCodes) });
      }}
    >
      <Stack gap="md" maw={420}>
        <Text size="sm">Scan this with your authenticator app, or type the key into it.</Text>
        <QrCode text={address} label="QR code for your authenticator app" />
        <Code text={secret} label="Key" copyLabel="Copy key" />
        {confirm.error ? <Failure error={confirm.error} /> : null}
        <TextInput
          label="Code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
