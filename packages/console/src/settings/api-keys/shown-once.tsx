import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { IconKey } from "../../ui/icons.js";
import type { CreatedApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Code } from "../../ui/code.js";

/** The only moment a key is visible. It is left by saying that the key is stored, not by accident. */
export function ShownOnce({ apiKey, onDone }: { apiKey: CreatedApiKey; onDone: () => void }) {
  const [stored, setStored] = useState(false);
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconKey size={18} />} p="sm">
        This is the only time the key is shown. Copy it to a safe place now.
      </Alert>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {apiKey.name}
        </Text>
        <Code text={apiKey.key} label="The new API key" copyLabel="Copy API key" />
      </div>
      <Text size="sm" c="dimmed">
        Send it in the X-API-KEY header. Keep keys for imports on your servers, never in a web page or an app.
      </Text>
      <Checkbox
        label="I have stored it"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!stored}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
