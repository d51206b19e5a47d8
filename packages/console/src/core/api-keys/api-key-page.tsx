import { Button, Group } from "@mantine/core";
import { permissions } from "@gatehouse-parking/contract";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { sourceOf, type SharedSource } from "../editing/shared-form.js";
import { Slot } from "../features.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { Facts } from "../ui/facts.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { Moment } from "../ui/time.js";
import { KeyState } from "./api-key-state.js";
import styles from "./api-keys.module.css";
import { EditKey } from "./edit-api-key.js";
import { LeadLimit } from "./lead-limit.js";
import { RevokeKey, RotateKey } from "./rotate-and-revoke.js";

/** One API key: permissions, usage and recent errors. */
export default function ApiKeyPage() {
  const { keyUuid = "" } = useParams();
  const key = useApi("getApiKey", { parameters: { keyUuid } });
  if (key.data) return <LoadedKey source={sourceOf(key)} />;
  return (
    <UnloadedPage title="API key" query={key}>
      It does not belong to this organization.
    </UnloadedPage>
  );
}

function LoadedKey({ source }: { source: SharedSource<ConsoleApiKey> }) {
  const apiKey = source.saved;
  const mayChange = useMayChange();
  const isOperator = useOrganization().role === "operator";
  const [action, setAction] = useState<"edit" | "lead limit" | "rotate" | "revoke" | null>(null);
  const close = () => setAction(null);
  return (
    <Page
      title={apiKey.name}
      description={
        <>
          <Link href="/settings/api-keys" className={styles.back}>
            API keys
          </Link>{" "}
          / <span className="monospace">{apiKey.prefix}…</span>
        </>
      }
      actions={
        mayChange && !apiKey.revokedAt ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => setAction("edit")}>
              Edit…
            </Button>
            {isOperator && apiKey.permissions.includes("leads:write") ? (
              <Button variant="default" onClick={() => setAction("lead limit")}>
                Lead limit…
              </Button>
            ) : null}
            {apiKey.replacedBy ? null : (
              <Button variant="default" onClick={() => setAction("rotate")}>
                Rotate…
              </Button>
            )}
            <Button variant="default" color="red" onClick={() => setAction("revoke")}>
              Revoke…
            </Button>
          </Group>
        ) : null
      }
    >
      <KeyFacts apiKey={apiKey} />
      <Slot name="apiKeyPanels" props={{ apiKey }} />
      <EditKey source={action === "edit" ? source : null} onClose={close} />
      <LeadLimit source={action === "lead limit" ? source : null} onClose={close} />
      <RotateKey apiKey={action === "rotate" ? apiKey : null} onClose={close} />
      <RevokeKey apiKey={action === "revoke" ? apiKey : null} onClose={close} />
    </Page>
  );
}

function KeyFacts({ apiKey }: { apiKey: ConsoleApiKey }) {
  const { replacedBy } = apiKey;
  return (
    <Panel title="About this key">
      <Facts
        items={[
          ["State", <KeyState key="state" apiKey={apiKey} />],
          [
            "Permissions",
            apiKey.permissions.length === permissions.length ? "all" : apiKey.permissions.join(", "),
          ],
          ["Created", <Moment key="created" value={apiKey.createdAt} />],
          ["Expires", <Moment key="expires" value={apiKey.expiresAt} />],
          ["Last used", <Moment key="used" value={apiKey.lastUsedAt} />],
          ["Last used from", apiKey.lastUsedAddress],
          apiKey.leadOrigins.length > 0 && ["Allowed lead origins", apiKey.leadOrigins.join(", ")],
          apiKey.leadLimit && [
            "Lead limit",
            `${apiKey.leadLimit.requests} from one address in ${apiKey.leadLimit.windowSeconds} s`,
          ],
          replacedBy && [
            "Replaced by",
            <Link key="successor" href={`/settings/api-keys/${replacedBy.uuid}`}>
              {replacedBy.name} ({replacedBy.prefix}…)
            </Link>,
          ],
        ]}
      />
    </Panel>
  );
}
