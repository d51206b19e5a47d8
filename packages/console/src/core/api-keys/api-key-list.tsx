import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { permissions } from "@gatehouse-parking/contract";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { ListTable, ListTools } from "../lists/data-list.js";
import { bySort, type ListDefinition } from "../lists/list-definition.js";
import { useMayChange, useOrganization } from "../session/session.js";
import { IconDots } from "../ui/icons.js";
import { Panel } from "../ui/page.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Moment, Time } from "../ui/time.js";
import { keyState, KeyState } from "./api-key-state.js";
import { CreateKey } from "./create-api-key.js";
import { EditKey } from "./edit-api-key.js";
import { RevokeKey, RotateKey } from "./rotate-and-revoke.js";

type Action = { kind: "edit" | "rotate" | "revoke"; key: ConsoleApiKey };

/** The API keys of an organization. Their values are shown only once, after creation. */
export default function ApiKeyList() {
  const { uuid } = useOrganization();
  const keys = useApi("listApiKeys");
  const mayChange = useMayChange();
  const [creating, { open, close }] = useDisclosure(false);
  const [action, setAction] = useState<Action | null>(null);

  return (
    <>
      <Panel
        title="API Keys"
        description="For your servers and forms. Every key belongs to this organization, and all keys share its rate limits."
        actions={mayChange ? <Button onClick={open}>Create New API Key</Button> : null}
        flush
      >
        <ListTools list={list} isInPanel />
        <ListTable
          list={list}
          query={keys}
          actions={mayChange ? actionColumn(setAction) : undefined}
          empty={
            <Empty
              title="No API keys yet"
              operatorCommand={`npx --no -- gatehouse api-key create --organization ${uuid} --name production`}
              action={mayChange ? <Button onClick={open}>Create the first API key</Button> : null}
            >
              {mayChange ? null : "An admin of your organization can create one."}
            </Empty>
          }
        />
      </Panel>
      <CreateKey opened={creating} onClose={close} />
      <EditKey
        source={
          action?.kind === "edit"
            ? {
                saved: action.key,
                reload: async () =>
                  (await keys.refetch()).data?.data.find((key) => key.uuid === action.key.uuid),
                isReloading: keys.isFetching,
              }
            : null
        }
        onClose={() => setAction(null)}
      />
      <RotateKey apiKey={action?.kind === "rotate" ? action.key : null} onClose={() => setAction(null)} />
      <RevokeKey apiKey={action?.kind === "revoke" ? action.key : null} onClose={() => setAction(null)} />
    </>
  );
}

const list: ListDefinition<ConsoleApiKey> = {
  name: "api-keys",
  label: "API keys",
  rowKey: (key) => key.uuid,
  href: (key) => `/settings/api-keys/${key.uuid}`,
  usualSort: "-created",
  exported: { route: "downloadApiKeys" },
  columns: [
    {
      header: "Name",
      cell: (key) => <Link href={`/settings/api-keys/${key.uuid}`}>{key.name}</Link>,
      sort: bySort("name"),
      value: (key) => key.name,
    },
    { header: "Key", cell: (key) => <span className="monospace">{key.prefix}…</span> },
    {
      header: "State",
      cell: (key) => <KeyState apiKey={key} />,
      sort: bySort("state"),
      value: keyState,
    },
    {
      header: "Permissions",
      cell: (key) => (key.permissions.length === permissions.length ? "all" : key.permissions.join(", ")),
      from: "tablet",
      sort: bySort("permissions"),
      value: (key) => key.permissions.length,
    },
    {
      header: "Last used",
      cell: (key) => <Time value={key.lastUsedAt} />,
      from: "tablet",
      sort: bySort("lastUsed"),
      value: (key) => key.lastUsedAt,
    },
    { header: "Last used from", cell: (key) => key.lastUsedAddress, optional: true },
    {
      header: "Expires",
      cell: (key) => <Moment value={key.expiresAt} />,
      from: "desktop",
      sort: bySort("expires"),
      value: (key) => key.expiresAt,
    },
    {
      header: "Created",
      cell: (key) => <Time value={key.createdAt} />,
      from: "desktop",
      sort: bySort("created"),
      value: (key) => key.createdAt,
    },
    { header: "Allowed lead origins", cell: (key) => key.leadOrigins.join(", "), wrap: true, optional: true },
  ],
};

function actionColumn(onAction: (action: Action) => void): Column<ConsoleApiKey> {
  return {
    header: "Actions",
    hiddenHeader: true,
    align: "right",
    cell: (key) =>
      key.revokedAt ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key.name}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAction({ kind: "edit", key })}>Edit…</Menu.Item>
            {key.replacedBy ? null : (
              <Menu.Item onClick={() => onAction({ kind: "rotate", key })}>Rotate…</Menu.Item>
            )}
            <Menu.Item color="red" onClick={() => onAction({ kind: "revoke", key })}>
              Revoke…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
  };
}
