import { Badge, Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useChange } from "../api/queries.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { useSession } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { Form } from "../ui/form.js";
import { Page } from "../ui/page.js";
import { useLinkedDialog } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import { texts } from "./texts.js";

const list: ListDefinition<"listOrganizations"> = {
  route: "listOrganizations",
  name: "organizations",
  label: texts.title,
  rowKey: (organization) => organization.uuid,
  href: (organization) => `/organizations/${organization.uuid}`,
  usualSort: "name",
  paging: "numbered",
  exported: { route: "downloadOrganizations" },
  columns: [
    {
      header: texts.columns.name,
      cell: (organization) => (
        <Group gap="xs">
          <Link href={`/organizations/${organization.uuid}`}>{organization.name}</Link>
          {organization.isDemo ? <Badge color="grape">{texts.demo}</Badge> : null}
        </Group>
      ),
      sort: "name",
      wrap: true,
    },
    {
      header: texts.columns.uuid,
      cell: (organization) => <Identifier value={organization.uuid} />,
      from: "tablet",
    },
    {
      header: texts.columns.created,
      time: (organization) => organization.createdAt,
      align: "right",
      sort: "createdAt",
    },
  ],
};

const filters = [{ kind: "text", name: "query", label: texts.filter }] as const;

/** Operators see all organizations, other users their own. */
export default function OrganizationsPage() {
  const { isOperator } = useSession().user;
  const { opened, open, close } = useLinkedDialog("create");
  return (
    <Page title={texts.title} actions={isOperator ? <Button onClick={open}>{texts.create}</Button> : null}>
      <List
        found={useList(list, { filters })}
        mayExport={isOperator}
        hint={texts.filterHint}
        empty={
          <Empty
            title={texts.empty.title}
            operatorCommand='npx --no -- gatehouse organization create --name "Harbour Parking"'
            action={isOperator ? <Button onClick={open}>{texts.empty.action}</Button> : null}
          />
        }
      />
      <Modal opened={opened} onClose={close} title={texts.create}>
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
    <Form change={create} onSubmit={submit} action={texts.form.submit} onCancel={onClose}>
      <TextInput
        label={texts.columns.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={200}
        data-autofocus
      />
    </Form>
  );
}
