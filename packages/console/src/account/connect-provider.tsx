import { Button } from "@mantine/core";
import { useProvider } from "../session/use-provider.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";

/** Whoever has a second factor is not let in by the provider for the first time unless they come from here. */
export function ConnectProvider() {
  const { provider, start } = useProvider();
  if (!provider) return null;
  return (
    <Panel
      title="Single sign-on"
      description={`Sign in there once from here, and ${provider.name} lets you in from then on.`}
      actions={
        <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
          Connect {provider.name}
        </Button>
      }
    >
      {start.error ? <Failure error={start.error} /> : null}
    </Panel>
  );
}
