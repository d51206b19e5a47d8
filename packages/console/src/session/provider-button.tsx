import { Alert, Button, Divider, Stack } from "@mantine/core";
import { refusal } from "./sign-in-form.js";
import { useProvider } from "./use-provider.js";

/** For those whose company has a sign-in of its own. */
export function ProviderButton() {
  const { provider, start } = useProvider();
  if (!provider) return null;
  return (
    <Stack gap="md" mt="md">
      <Divider label="or" labelPosition="center" />
      {start.error ? (
        <Alert color="red" role="alert" p="sm">
          {refusal(start.error)}
        </Alert>
      ) : null}
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending} fullWidth>
        Sign in with {provider.name}
      </Button>
    </Stack>
  );
}
