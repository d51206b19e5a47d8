import { Button, Group } from "@mantine/core";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { sourceOf, type SharedSource } from "../editing/shared-form.js";
import { Slot } from "../features.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { Facts } from "../ui/facts.js";
import { DangerZone, InOrder, Page, Panel, UnloadedPage } from "../ui/page.js";
import { Moment } from "../ui/time.js";
import { KeyDialogs, type KeyAction } from "./api-key-dialogs.js";
import { KeyState, permissionsOf } from "./api-key-list.js";
import styles from "./api-keys.module.css";
import { texts } from "./texts.js";

/** One API key: permissions, usage and recent errors. */
export default function ApiKeyPage() {
  const { keyUuid = "" } = useParams();
  const key = useApi("getApiKey", { parameters: { keyUuid } });
  if (key.data) return <LoadedKey source={sourceOf(key)} />;
  return (
    <UnloadedPage title={texts.page.title} query={key}>
      {texts.page.notFound}
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
            {texts.label}
          </Link>{" "}
          / <span className="monospace">{apiKey.prefix}…</span>
        </>
      }
      actions={
        mayChange && !apiKey.revokedAt ? (
          <Group gap="xs">
            {button("edit", texts.edit.open)}
            {isOperator && apiKey.permissions.includes("leads:write")
              ? button("lead limit", texts.limit.open)
              : null}
            {apiKey.replacedBy ? null : button("rotate", texts.rotate.open)}
          </Group>
        ) : null
      }
    >
      <KeyFacts apiKey={apiKey} />
      <InOrder>
        <Slot name="apiKeyPanels" props={{ apiKey }} />
        {mayChange && !apiKey.revokedAt ? (
          <DangerZone
            actions={[
              {
                title: texts.revoke.submit,
                description: texts.revoke.description,
                button: button("revoke", texts.revoke.open, "red"),
              },
            ]}
          />
        ) : null}
      </InOrder>
      <KeyDialogs action={action} source={source} onClose={() => setAction(null)} />
    </Page>
  );
}

function KeyFacts({ apiKey }: { apiKey: ConsoleApiKey }) {
  const { replacedBy, leadLimit } = apiKey;
  return (
    <Panel title={texts.page.details}>
      <Facts
        items={[
          [texts.columns.status, <KeyState key="state" apiKey={apiKey} />],
          [texts.columns.permissions, permissionsOf(apiKey)],
          [texts.columns.created, <Moment key="created" value={apiKey.createdAt} />],
          [texts.columns.expires, <Moment key="expires" value={apiKey.expiresAt} />],
          [texts.columns.lastUsed, <Moment key="used" value={apiKey.lastUsedAt} />],
          [texts.columns.lastUsedFrom, apiKey.lastUsedAddress],
          apiKey.leadOrigins.length > 0 && [texts.columns.leadOrigins, apiKey.leadOrigins.join(", ")],
          leadLimit && [
            texts.columns.leadLimit,
            texts.leadLimitOf(leadLimit.requests, leadLimit.windowSeconds),
          ],
          replacedBy && [
            texts.columns.replacedBy,
            <Link key="successor" href={`/settings/api-keys/${replacedBy.uuid}`}>
              {replacedBy.name} ({replacedBy.prefix}…)
            </Link>,
          ],
        ]}
      />
    </Panel>
  );
}
