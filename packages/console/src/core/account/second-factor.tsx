import { Badge, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import encodeQr from "qr";
import { useApi, useChange } from "../api/queries.js";
import { sessionKey, useSession } from "../session/session.js";
import { CodeInput } from "../session/sign-in.js";
import { DialogButtons } from "../ui/confirm.js";
import { Code } from "../ui/copyable.js";
import { Page, Panel } from "../ui/page.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import styles from "./account.module.css";

/**
 * Replaces the pages of an organization that requires a second factor, for users without one. If any organization
 * requires it, it also replaces the operator pages.
 */
export function SecondFactorRequired({ onDone, of }: { onDone: () => void; of: "one" | "all" }) {
  return (
    <Page title="Set up a second factor">
      <Panel
        description={
          of === "one"
            ? "This organization requires a second factor. Its pages open once you have one."
            : "An organization of this installation requires a second factor. The pages about all of them open once you have one."
        }
      >
        <SetUpSecondFactor onDone={onDone} />
      </Panel>
    </Page>
  );
}

/** Four steps: password, QR code, first code, recovery codes. */
function SetUpSecondFactor({ onDone }: { onDone?: () => void }) {
  const client = useQueryClient();
  const [shown, setShown] = useState<{ secret: string; address: string } | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  // Refreshed only after the codes were seen, because the refreshed page would replace them.
  const finish = () => {
    void client.invalidateQueries({ queryKey: sessionKey });
    void client.invalidateQueries({ queryKey: ["getSecondFactor"] });
    void client.invalidateQueries({ queryKey: ["listOwnSessions"] });
    onDone?.();
  };
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={finish} />;
  if (shown) return <ConfirmCodeForm {...shown} onConfirmed={setRecoveryCodes} />;
  return <StartForm onStarted={setShown} />;
}

function StartForm({ onStarted }: { onStarted: (shown: { secret: string; address: string }) => void }) {
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

function ConfirmCodeForm({
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

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">
        Store these recovery codes somewhere safe, away from your phone. Each of them lets you in once if you
        cannot use your authenticator app. They are shown only now.
      </Text>
      <Code text={codes.join("\n")} label="Recovery codes" copyLabel="Copy recovery codes" />
      <Group>
        <Button onClick={onDone}>I have stored them</Button>
      </Group>
    </Stack>
  );
}

/** Dark on light even in dark mode, because some cameras cannot read inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQr(text, "raw", { ecc: "medium", border: 2 });
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      className={styles.qrCode}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className={styles.qrLight} d={`M0 0h${rows.length}v${rows.length}H0z`} />
      <path className={styles.qrDark} d={path} />
    </svg>
  );
}

type FactorAction = "renew" | "remove";

const factorActions: Record<FactorAction, { title: string; text: string; action: string }> = {
  renew: {
    title: "New recovery codes",
    text: "You get ten new codes, and the old ones no longer work.",
    action: "Create codes",
  },
  remove: {
    title: "Remove second factor",
    text: "Your password alone will let you in again. To move to another phone, remove it here and set it up anew.",
    action: "Remove",
  },
};

export function SecondFactor() {
  const factor = useApi("getSecondFactor");
  const [confirming, setConfirming] = useState<FactorAction | null>(null);
  if (factor.isPending) return <RowsLoading rows={3} />;
  if (factor.error) return <Failure error={factor.error} retry={() => void factor.refetch()} />;
  const { confirmedAt, recoveryCodesLeft } = factor.data;
  const title = (
    <>
      Second factor{" "}
      <Badge color={confirmedAt ? "teal" : "gray"} ml="xs">
        {confirmedAt ? "on" : "off"}
      </Badge>
    </>
  );
  if (!confirmedAt) {
    return (
      <Panel title={title} description="Your password alone is not enough then to sign in as you.">
        <SetUpSecondFactor />
      </Panel>
    );
  }
  return (
    <Panel
      title={title}
      actions={
        <Group gap="xs">
          <Button variant="default" onClick={() => setConfirming("renew")}>
            New recovery codes
          </Button>
          <Button variant="default" onClick={() => setConfirming("remove")}>
            Remove
          </Button>
        </Group>
      }
    >
      <Text size="sm">
        Set up <Moment value={confirmedAt} />. {recoveryCodesLeft} of your recovery codes are left.
      </Text>
      <Modal
        opened={confirming !== null}
        onClose={() => setConfirming(null)}
        title={confirming ? factorActions[confirming].title : ""}
      >
        {confirming ? <CodeForm confirming={confirming} onDone={() => setConfirming(null)} /> : null}
      </Modal>
    </Panel>
  );
}

function CodeForm({ confirming, onDone }: { confirming: FactorAction; onDone: () => void }) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const renew = useChange("renewRecoveryCodes", { refresh: ["getSecondFactor"] });
  const remove = useChange("removeSecondFactor", { refresh: ["getSecondFactor"] });
  const { text, action } = factorActions[confirming];
  const error = renew.error ?? remove.error;
  function act() {
    const body = { code };
    if (confirming === "renew")
      renew.mutate({ body }, { onSuccess: (made) => setRecoveryCodes(made.recoveryCodes) });
    else
      remove.mutate(
        { body },
        {
          onSuccess: () => {
            void client.invalidateQueries({ queryKey: sessionKey });
            onDone();
          },
        },
      );
  }
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act();
      }}
    >
      <Stack gap="md">
        {error ? <Failure error={error} /> : null}
        <Text size="sm">{text}</Text>
        <CodeInput
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <DialogButtons
          action={action}
          onCancel={onDone}
          color={confirming === "remove" ? "red" : undefined}
          loading={renew.isPending || remove.isPending}
        />
      </Stack>
    </form>
  );
}
