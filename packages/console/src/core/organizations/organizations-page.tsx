import { Badge, Button, Group, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useChange } from "../api/queries.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { useSession } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { Form } from "../ui/form.js";
import { Page } from "../ui/page.js";
import { Empty } from "../ui/states.js";

const list: ListDefinition<"listOrganizations"> = {
  route: "listOrganizations",
  name: "organizations",
  label: "Organizations",
  rowKey: (organization) => organization.uuid,
  href: (organization) => `/organizations/${organization.uuid}`,
  usualSort: "name",
  paging: "numbered",
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
      sort: "name",
      wrap: true,
    },
    { header: "UUID", cell: (organization) => <Identifier value={organization.uuid} />, from: "tablet" },
    { header: "Created", time: (organization) => organization.createdAt, align: "right", sort: "createdAt" },
  ],
};

const filters = [{ kind: "text", name: "query", label: "Name or UUID" }] as const;

/** Operators see all organizations, other users their own. */
export default function OrganizationsPage() {
  const { isOperator } = useSession().user;
  const [creating, { open, close }] = useDisclosure(false);
  return (
    <Page
      title="Organizations"
      actions={isOperator ? <Button onClick={open}>Create organization</Button> : null}
    >
      <List
        found={useList(list, { filters })}
        mayExport={isOperator}
        hint="Type a part of its name, or how its UUID begins."
        empty={
          <Empty
            title="No organizations yet"
            operatorCommand='npx --no -- gatehouse organization create --name "Harbour Parking"'
            action={isOperator ? <Button onClick={open}>Create the first organization</Button> : null}
          />
        }
      />
      <Modal opened={creating} onClose={close} title="Create organization">
        <CreateOrganization onClose={close} />
      </Modal>
    </Page>
  );
}

function CreateOrganization({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [, navigate] = useLocation();
  const create = useChange("createOrganization", { refresh: ["listOrganizations"] });
  const submit = () =>
    create.mutate({ body: { name } }, { onSuccess: ({ uuid }) => navigate(`/organizations/${uuid}`) });
  return (
    <Form change={create} onSubmit={submit} action="Create" onCancel={onClose}>
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={200}
        data-autofocus
      />
    </Form>
  );
}
