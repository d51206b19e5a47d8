import { Button, Group, Stack, Text } from "@mantine/core";
import { Code } from "../ui/code.js";

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
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
