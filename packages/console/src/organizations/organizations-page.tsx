import { Badge, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { OrganizationSummary } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useApi, useChange } from "../api/queries.js";
import { useSession } from "../session/session.js";
import { Identifier } from "../ui/copy.js";
import { Filters, TextFilter } from "../ui/filters.js";
import { NumberedPaging } from "../ui/numbered-paging.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { Time } from "../ui/time.js";

const columns: Column<OrganizationSummary>[] = [
  {
    header: "Name",
    cell: (organization) => (
      <Group gap="xs">
        <Link href={`/organizations/${organization.uuid}`}>{organization.name}</Link>
        {organization.isDemo ? <Badge color="grape">demo</Badge> : null}
      </Group>
    ),
  },
  { header: "UUID", cell: (organization) => <Identifier value={organization.uuid} />, from: "tablet" },
  { header: "Created", cell: (organization) => <Time value={organization.createdAt} />, align: "right" },
];

/** All organizations, for operators; their own, for others. */
export default function OrganizationsPage() {
  const { user } = useSession();
  const { params } = useQueryState();
  const page = Number(params.get("page")) || 1;
  const query = params.get("query") ?? "";
  const list = useApi("listOrganizations", { query: { page, query } });
  const [creating, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Organizations"
      actions={user.isOperator ? <Button onClick={open}>Create organization</Button> : null}
    >
      <Filters>
        <TextFilter name="query" label="Name or UUID" />
      </Filters>
      <Panel flush>
        {list.error ? <Failure error={list.error} retry={() => void list.refetch()} /> : null}
        {list.isPending ? <RowsLoading /> : null}
        {list.data && list.data.data.length > 0 ? (
          <DataTable
            label="Organizations"
            columns={columns}
            rows={list.data.data}
            rowKey={(organization) => organization.uuid}
            href={(organization) => `/organizations/${organization.uuid}`}
          />
        ) : null}
        {list.data?.data.length === 0 ? <NoOrganizations isFiltered={query !== ""} /> : null}
        {list.data ? <NumberedPaging page={page} totalPages={list.data.totalPages} /> : null}
      </Panel>
      <Modal opened={creating} onClose={close} title="Create organization">
        <CreateOrganization onClose={close} />
      </Modal>
    </Page>
  );
}

function NoOrganizations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <Empty title="No organization matches">Type a part of its name, or how its UUID begins.</Empty>;
  return (
    <Empty
      title="No organizations yet"
      operatorCommand='npx gatehouse organization create --name "Harbour Parking"'
    >
      Create the first one here.
    </Empty>
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
