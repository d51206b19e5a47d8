import { Button, Group } from "@mantine/core";
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
import { KeyDialogs, type KeyAction } from "./api-key-dialogs.js";
import { KeyState, permissionsOf } from "./api-key-list.js";
import styles from "./api-keys.module.css";

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
  const [action, setAction] = useState<KeyAction | null>(null);
  const button = (wanted: KeyAction, label: string, color?: "red") => (
    <Button variant="default" color={color} onClick={() => setAction(wanted)}>
      {label}
    </Button>
  );
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
            {button("edit", "Edit…")}
            {isOperator && apiKey.permissions.includes("leads:write")
              ? button("lead limit", "Lead limit…")
              : null}
            {apiKey.replacedBy ? null : button("rotate", "Rotate…")}
            {button("revoke", "Revoke…", "red")}
          </Group>
        ) : null
      }
    >
      <KeyFacts apiKey={apiKey} />
      <Slot name="apiKeyPanels" props={{ apiKey }} />
      <KeyDialogs action={action} source={source} onClose={() => setAction(null)} />
    </Page>
  );
}

function KeyFacts({ apiKey }: { apiKey: ConsoleApiKey }) {
  const { replacedBy, leadLimit } = apiKey;
  return (
    <Panel title="About this key">
      <Facts
        items={[
          ["State", <KeyState key="state" apiKey={apiKey} />],
          ["Permissions", permissionsOf(apiKey)],
          ["Created", <Moment key="created" value={apiKey.createdAt} />],
          ["Expires", <Moment key="expires" value={apiKey.expiresAt} />],
          ["Last used", <Moment key="used" value={apiKey.lastUsedAt} />],
          ["Last used from", apiKey.lastUsedAddress],
          apiKey.leadOrigins.length > 0 && ["Allowed lead origins", apiKey.leadOrigins.join(", ")],
          leadLimit && [
            "Lead limit",
            `${leadLimit.requests} from one address in ${leadLimit.windowSeconds} s`,
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
