import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { firstImportCommand } from "../imports/commands.js";
import { useInterface } from "../session/origin.js";
import { useMayChange } from "../session/session.js";
import { Panel } from "../ui/panel.js";
import { Empty } from "../ui/states.js";

/** An organization that never imported anything is shown the way to its first import. */
export function FirstSteps() {
  const runs = useApi("listRuns", { query: { limit: 1 } });
  const mayChange = useMayChange();
  const api = useInterface();
  if (!runs.data || runs.data.data.length > 0) return null;
  return (
    <Panel>
      <Empty title="Nothing has been imported yet" command={firstImportCommand(api, "accounts")}>
        {mayChange ? (
          <>
            <Anchor component={Link} href="/locations/new">
              Add a location
            </Anchor>
            , then{" "}
            <Anchor component={Link} href="/uploads/new">
              upload a file
            </Anchor>
            , or{" "}
            <Anchor component={Link} href="/settings/api-keys">
              create an API key
            </Anchor>{" "}
            and send the first batch:
          </>
        ) : (
          "Batches that your systems send appear here."
        )}
      </Empty>
    </Panel>
  );
}
