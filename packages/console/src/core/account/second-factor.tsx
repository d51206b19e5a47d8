import type { AnswerOf } from "@gatehouse-parking/contract/console";
import { Badge, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import encodeQr from "qr";
import { useApi, useChange } from "../api/queries.js";
import { sessionKey, useSession } from "../session/session.js";
import { CodeInput } from "../session/sign-in.js";
import { Code } from "../ui/copyable.js";
import { Form } from "../ui/form.js";
import { Page, Panel } from "../ui/page.js";
import { Loaded, RowsLoading } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import styles from "./account.module.css";
import { texts } from "./texts.js";

/**
 * Replaces the pages of an organization that requires a second factor, for users without one. If any organization
 * requires it, it also replaces the operator pages.
 */
export function SecondFactorRequired({ onDone, of }: { onDone: () => void; of: "one" | "all" }) {
  return (
    <Page title={texts.twoFactor.required}>
      <Panel description={of === "one" ? texts.twoFactor.requiredByOne : texts.twoFactor.requiredByAny}>
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
  const [currentPassword, setCurrentPassword] = useState("");
  const start = useChange("startSecondFactor");
  const body = currentPassword === "" ? {} : { currentPassword };
  return (
    <Form
      change={start}
      onSubmit={() => start.mutate({ body }, { onSuccess: onStarted })}
      action={texts.twoFactor.start}
      width={420}
    >
      <Text size="sm">{texts.twoFactor.explanation}</Text>
      {user.hasPassword ? (
        <PasswordInput
          label={texts.password.current}
          autoComplete="current-password"
          // A recent sign-in with the provider is enough. The service decides.
          required={!byLink && !byProvider}
          value={currentPassword}
          onChange={(event) => setCurrentPassword(event.currentTarget.value)}
        />
      ) : null}
    </Form>
  );
}

function ConfirmCodeForm(props: {
  secret: string;
  address: string;
  onConfirmed: (recoveryCodes: string[]) => void;
}) {
  const [code, setCode] = useState("");
  const confirm = useChange("confirmSecondFactor");
  const submit = () =>
    confirm.mutate({ body: { code } }, { onSuccess: (answer) => props.onConfirmed(answer.recoveryCodes) });
  return (
    <Form change={confirm} onSubmit={submit} action={texts.twoFactor.confirm} width={420}>
      <Text size="sm">{texts.twoFactor.scan}</Text>
      <QrCode text={props.address} label={texts.twoFactor.qrCode} />
      <Code text={props.secret} label={texts.twoFactor.key} copyLabel={texts.twoFactor.copyKey} />
      <TextInput
        label={texts.twoFactor.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">{texts.recoveryCodes.explanation}</Text>
      <Code text={codes.join("\n")} label={texts.recoveryCodes.label} copyLabel={texts.recoveryCodes.copy} />
      <Group>
        <Button onClick={onDone}>{texts.recoveryCodes.saved}</Button>
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

type FactorAction = keyof typeof actionTexts;

const actionTexts = { renew: texts.renewCodes, remove: texts.removeTwoFactor };

export function SecondFactor() {
  const factor = useApi("getSecondFactor");
  return (
    <Loaded query={factor} loading={<RowsLoading rows={3} />}>
      {(state) => <FactorPanel {...state} />}
    </Loaded>
  );
}

function FactorPanel({ confirmedAt, recoveryCodesLeft }: AnswerOf<"getSecondFactor">) {
  const [confirming, setConfirming] = useState<FactorAction | null>(null);
  const close = () => setConfirming(null);
  const title = (
    <>
      {texts.twoFactor.title}{" "}
      <Badge color={confirmedAt ? "teal" : "gray"} ml="xs">
        {confirmedAt ? texts.twoFactor.on : texts.twoFactor.off}
      </Badge>
    </>
  );
  if (!confirmedAt) {
    return (
      <Panel title={title} description={texts.twoFactor.description}>
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
            {texts.renewCodes.open}
          </Button>
          <Button variant="default" onClick={() => setConfirming("remove")}>
            {texts.removeTwoFactor.open}
          </Button>
        </Group>
      }
    >
      <Text size="sm">
        {texts.twoFactor.setUpAt} <Moment value={confirmedAt} />.{" "}
        {texts.twoFactor.recoveryCodesLeft(recoveryCodesLeft)}
      </Text>
      <Modal
        opened={confirming !== null}
        onClose={close}
        title={confirming ? actionTexts[confirming].title : ""}
      >
        {confirming ? <CodeForm confirming={confirming} onDone={close} /> : null}
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
  const { text, action } = actionTexts[confirming];
  const body = { code };
  const onRemoved = () => {
    void client.invalidateQueries({ queryKey: sessionKey });
    onDone();
  };
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  return (
    <Form
      change={confirming === "renew" ? renew : remove}
      onSubmit={() =>
        confirming === "renew"
          ? renew.mutate({ body }, { onSuccess: (made) => setRecoveryCodes(made.recoveryCodes) })
          : remove.mutate({ body }, { onSuccess: onRemoved })
      }
      action={action}
      onCancel={onDone}
      isDangerous={confirming === "remove"}
    >
      <Text size="sm">{text}</Text>
      <CodeInput
        required
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  );
}
