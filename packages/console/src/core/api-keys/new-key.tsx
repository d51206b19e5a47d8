import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import type { CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { useApi } from "../api/queries.js";
import { CertificateNote, useApiAddress } from "../session/api-address.js";
import { Code } from "../ui/copyable.js";
import { IconCheck, IconKey } from "../ui/icons.js";
import styles from "./api-keys.module.css";
import { testCommand } from "./test-command.js";
import { texts } from "./texts.js";

export interface NewKeyProps {
  onCreated: (key: CreatedApiKey) => void;
  onCancel: () => void;
}

/** A dialog that makes a key: its form, then the new key, which is shown only once. */
export function NewKeyDialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: (made: NewKeyProps) => ReactNode;
}) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const close = () => {
    setCreated(null);
    props.onClose();
  };
  return (
    <Modal
      opened={props.opened}
      onClose={close}
      title={props.title}
      size="lg"
      // Clicking outside or pressing Escape must not discard a key that is not saved yet.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      withCloseButton={created === null}
    >
      {created ? (
        <NewApiKey apiKey={created} onDone={close} />
      ) : (
        props.children({ onCreated: setCreated, onCancel: close })
      )}
    </Modal>
  );
}

/** The key is shown only here, so the user has to confirm that it is stored. */
function NewApiKey({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
  const [stored, setStored] = useState(false);
  const test = testCommand(useApiAddress(), apiKey);
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconKey size={18} />} p="sm">
        {texts.newKey.warning}
      </Alert>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {apiKey.name}
        </Text>
        <Code text={apiKey.key} label={texts.newKey.label} copyLabel={texts.newKey.copy} />
      </div>
      <Text size="sm" c="dimmed">
        {texts.newKey.usage}
      </Text>
      <div>
        <Text size="sm" fw={500}>
          {texts.newKey.test.title}
        </Text>
        <Text size="sm" c="dimmed" mb={4}>
          {texts.newKey.test.effects[test.effect]}
        </Text>
        <Code text={test.command} label={texts.newKey.test.label} copyLabel={texts.newKey.test.copy} />
        <CertificateNote className={styles.note} />
        <FirstRequest keyUuid={apiKey.uuid} />
      </div>
      <Checkbox
        label={texts.newKey.saved}
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!stored}>
          {texts.newKey.done}
        </Button>
      </Group>
    </Stack>
  );
}

/** The service writes the use of keys every few seconds. */
const pollMs = 5_000;

function FirstRequest({ keyUuid }: { keyUuid: string }) {
  const client = useQueryClient();
  const { data } = useApi("getApiKey", { parameters: { keyUuid }, refetchMs: pollMs });
  const isUsed = data !== undefined && data.lastUsedAt !== null;
  useEffect(() => {
    if (isUsed) void client.invalidateQueries({ queryKey: ["listApiKeys"] });
  }, [client, isUsed]);
  return (
    <output className={isUsed ? styles.used : styles.unused}>
      {isUsed ? <IconCheck size={14} aria-hidden /> : null}
      {isUsed ? texts.newKey.used : texts.newKey.unused}
    </output>
  );
}
