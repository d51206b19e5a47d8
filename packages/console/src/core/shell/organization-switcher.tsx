import { Anchor, Badge, Button, Menu, ScrollArea, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { useOptionalOrganization, useSession } from "../session/session.js";
import { IconCheck, IconSelector } from "../ui/icons.js";
import styles from "./shell.module.css";

/** Shows the current organization. Users of several can switch. */
export function OrganizationSwitcher() {
  const organization = useOptionalOrganization();
  const { user, organizations } = useSession();
  const [only, ...others] = organizations;
  const hasChoice = user.isOperator || others.length > 0;
  const name = (
    <>
      <span className={styles.name}>{organization?.name ?? "Choose an organization"}</span>
      {organization?.isDemo ? (
        <Badge size="sm" color="grape">
          demo
        </Badge>
      ) : null}
    </>
  );
  if (!hasChoice && organization) return <div className={styles.fixed}>{name}</div>;
  if (!hasChoice && only)
    return (
      <Anchor component={Link} href={`~/organizations/${only.uuid}`} className={styles.fixed}>
        Back to {only.name}
      </Anchor>
    );
  return (
    <Menu width={280} position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconSelector size={15} aria-hidden />}
          className={styles.button}
          classNames={{ label: styles.label }}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <OrganizationChoices current={organization?.uuid} />
      </Menu.Dropdown>
    </Menu>
  );
}

function OrganizationChoices({ current }: { current: string | undefined }) {
  const { user } = useSession();
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text, 200);
  const list = useApi("listOrganizations", { query: { query } });
  return (
    <>
      <Menu.Search
        aria-label="Find an organization"
        placeholder="Find an organization"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={320}>
        {list.data?.data.map((organization) => (
          <Menu.Item
            key={organization.uuid}
            component={Link}
            href={`~/organizations/${organization.uuid}`}
            rightSection={organization.uuid === current ? <IconCheck size={14} aria-label="current" /> : null}
          >
            {organization.name}
          </Menu.Item>
        ))}
        {list.data?.data.length === 0 ? (
          <Text size="sm" c="dimmed" p="xs">
            No organization with that name
          </Text>
        ) : null}
        {list.data?.hasNextPage ? (
          <Text size="sm" c="dimmed" p="xs">
            {list.data.totalCount - list.data.data.length} more; type a name to find them
          </Text>
        ) : null}
      </ScrollArea.Autosize>
      <Menu.Divider />
      {user.isOperator ? (
        <Menu.Item component={Link} href="~/">
          All organizations
        </Menu.Item>
      ) : null}
      <Menu.Item component={Link} href="~/organizations">
        {user.isOperator ? "Manage organizations" : "All organizations"}
      </Menu.Item>
    </>
  );
}
