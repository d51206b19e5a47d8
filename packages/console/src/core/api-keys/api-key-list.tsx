import { Badge, Button } from "@mantine/core";
import { permissions } from "@gatehouse-parking/contract";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { RowMenu } from "../ui/buttons.js";
import { useLinkedDialog } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Time } from "../ui/time.js";
import { KeyDialogs, type KeyAction } from "./api-key-dialogs.js";
import styles from "./api-keys.module.css";
import { CreateKey } from "./create-key.js";
import { texts } from "./texts.js";

interface Acting {
  action: KeyAction;
  key: ConsoleApiKey;
}

/** The API keys of an organization. Their values are shown only once, after creation. */
export default function ApiKeyList() {
  const { uuid } = useOrganization();
  const found = useList(list);
  const { refetch, isFetching } = found.answer;
  const mayChange = useMayChange();
  const { opened, open, close } = useLinkedDialog("create");
  const [acting, setActing] = useState<Acting | null>(null);
  const reload = async () => (await refetch()).data?.data.find((key) => key.uuid === acting?.key.uuid);
  return (
    <>
      <List
        found={found}
        panel={{
          title: texts.title,
          description: texts.description,
          actions: mayChange ? <Button onClick={open}>{texts.create}</Button> : null,
        }}
        rowActions={mayChange ? actionColumn(setActing) : undefined}
        empty={
          <Empty
            title={texts.empty.title}
            operatorCommand={`npx --no -- gatehouse api-key create --organization ${uuid} --name production`}
            action={mayChange ? <Button onClick={open}>{texts.empty.action}</Button> : null}
          >
            {mayChange ? null : texts.empty.forViewers}
          </Empty>
        }
      />
      <CreateKey opened={opened} onClose={close} />
      <KeyDialogs
        action={acting?.action ?? null}
        {...(acting && { source: { saved: acting.key, reload, isReloading: isFetching } })}
        onClose={() => setActing(null)}
      />
    </>
  );
}

const list: ListDefinition<"listApiKeys"> = {
  route: "listApiKeys",
  name: "api-keys",
  label: texts.label,
  rowKey: (key) => key.uuid,
  href: (key) => `/settings/api-keys/${key.uuid}`,
  usualSort: "-created",
  paging: "none",
  exported: { route: "downloadApiKeys" },
  columns: [
    {
      header: texts.columns.name,
      cell: (key) => <Link href={`/settings/api-keys/${key.uuid}`}>{key.name}</Link>,
      wrap: true,
      sort: "name",
      value: (key) => key.name,
    },
    { header: texts.columns.key, cell: (key) => <span className="monospace">{key.prefix}…</span> },
    { header: texts.columns.status, cell: (key) => <KeyState apiKey={key} />, sort: "state", value: stateOf },
    {
      header: texts.columns.permissions,
      cell: permissionsOf,
      from: "tablet",
      wrap: true,
      sort: "permissions",
      value: (key) => key.permissions.length,
    },
    { header: texts.columns.lastUsed, time: (key) => key.lastUsedAt, from: "tablet", sort: "lastUsed" },
    { header: texts.columns.lastUsedFrom, cell: (key) => key.lastUsedAddress, optional: true },
    { header: texts.columns.expires, time: (key) => key.expiresAt, from: "desktop", sort: "expires" },
    { header: texts.columns.created, time: (key) => key.createdAt, from: "desktop", sort: "created" },
    {
      header: texts.columns.leadOrigins,
      cell: (key) => key.leadOrigins.join(", "),
      wrap: true,
      optional: true,
    },
  ],
};

export function permissionsOf({ permissions: own }: ConsoleApiKey): string {
  const missing = permissions.filter((permission) => !own.includes(permission));
  if (missing.length === 0) return texts.columns.allPermissions;
  return missing.length === 1 ? texts.columns.allPermissionsBut(missing.join()) : own.join(", ");
}

const stateColors = { revoked: "red", expired: "gray", rotated: "yellow", active: "teal" };

function stateOf({ revokedAt, expiresAt, replacedBy }: ConsoleApiKey): keyof typeof stateColors {
  if (revokedAt) return "revoked";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return "expired";
  return replacedBy ? "rotated" : "active";
}

export function KeyState({ apiKey }: { apiKey: ConsoleApiKey }) {
  const state = stateOf(apiKey);
  return (
    <>
      <Badge color={stateColors[state]}>{state}</Badge>
      {state === "rotated" ? (
        <div className={styles.note}>
          {texts.rotatedStatus(
            <Time value={apiKey.expiresAt} />,
            <span className="monospace">{apiKey.replacedBy?.prefix}…</span>,
          )}
        </div>
      ) : null}
    </>
  );
}

function actionColumn(setActing: (acting: Acting) => void): Column<ConsoleApiKey> {
  return {
    header: texts.columns.actions,
    hiddenHeader: true,
    align: "right",
    cell: (key) => {
      if (key.revokedAt) return null;
      const act = (action: KeyAction) => () => setActing({ action, key });
      const edit = { label: texts.edit.action, onClick: act("edit") };
      const rotate = { label: texts.rotate.action, onClick: act("rotate") };
      const revoke = { label: texts.revoke.action, onClick: act("revoke"), isDangerous: true };
      return <RowMenu name={key.name} actions={key.replacedBy ? [edit, revoke] : [edit, rotate, revoke]} />;
    },
  };
}
