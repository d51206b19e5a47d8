import { Badge, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { OrganizationSummary, QueryOf } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useApi, useChange } from "../api/queries.js";
import { DataList } from "../lists/data-list.js";
import { bySort, type ListDefinition } from "../lists/list-definition.js";
import { readNamed } from "../lists/list-state.js";
import { useSession } from "../session/session.js";
import { DialogButtons } from "../ui/confirm.js";
import { Identifier } from "../ui/copyable.js";
import { Filters, TextFilter } from "../ui/filters.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Failure } from "../ui/states.js";
import { Time } from "../ui/time.js";

const list: ListDefinition<OrganizationSummary> = {
  name: "organizations",
  label: "Organizations",
  rowKey: (organization) => organization.uuid,
  href: (organization) => `/organizations/${organization.uuid}`,
  usualSort: "name",
  exported: { route: "downloadOrganizations" },
  columns: [
    {
      header: "Name",
      cell: (organization) => (
        <Group gap="xs">
          <Link href={`/organizations/${organization.uuid}`}>{organization.name}</Link>
          {organization.isDemo ? <Badge color="grape">demo</Badge> : null}
        </Group>
      ),
      sort: bySort("name"),
      wrap: true,
    },
    { header: "UUID", cell: (organization) => <Identifier value={organization.uuid} />, from: "tablet" },
    {
      header: "Created",
      cell: (organization) => <Time value={organization.createdAt} />,
      align: "right",
      sort: bySort("createdAt"),
    },
  ],
};

/** Operators see all organizations, other users their own. */
export default function OrganizationsPage() {
  const { user } = useSession();
  const { params } = useQueryState();
  const page = Number(params.get("page")) || 1;
  const listQuery = readNamed(params, ["query", "sort"]) as Pick<
    QueryOf<"listOrganizations">,
    "query" | "sort"
  >;
  const organizations = useApi("listOrganizations", { query: { page, ...listQuery } });
  const [creating, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Organizations"
      actions={user.isOperator ? <Button onClick={open}>Create organization</Button> : null}
    >
      <Filters>
        <TextFilter name="query" label="Name or UUID" />
      </Filters>
      <DataList
        list={list}
        query={organizations}
        listQuery={listQuery}
        mayExport={user.isOperator}
        hint="Type a part of its name, or how its UUID begins."
        empty={<NoOrganizations create={user.isOperator ? open : undefined} />}
      />
      <Modal opened={creating} onClose={close} title="Create organization">
        <CreateOrganization onClose={close} />
      </Modal>
    </Page>
  );
}

function NoOrganizations({ create }: { create: (() => void) | undefined }) {
  return (
    <Empty
      title="No organizations yet"
      operatorCommand='npx --no -- gatehouse organization create --name "Harbour Parking"'
      action={create ? <Button onClick={create}>Create the first organization</Button> : null}
    />
  );
}

function CreateOrganization({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [, navigate] = useLocation();
  const create = useChange("createOrganization", { refresh: ["listOrganizations"] });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(
          { body: { name } },
          { onSuccess: (organization) => navigate(`/organizations/${organization.uuid}`) },
        );
      }}
    >
      <Stack gap="md">
        {create.error ? <Failure error={create.error} /> : null}
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={200}
          data-autofocus
        />
        <DialogButtons action="Create" onCancel={onClose} loading={create.isPending} />
      </Stack>
    </form>
  );
}
