import { ActionIcon, Anchor, Badge, Button, Drawer, Menu, ScrollArea, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { PasswordReminder } from "../account/password.js";
import { useApi } from "../api/queries.js";
import { useFeatures } from "../features.js";
import { useOptionalOrganization, useSession } from "../session/session.js";
import { IconBook, IconCheck, IconMenu2, IconSelector, IconUserCircle, Logo } from "../ui/icons.js";
import { useUserCommands } from "./commands.js";
import { type Destination, useNavigation } from "./navigation.js";
import { preloadPage } from "./preload.js";
import { SearchBox } from "./search-box.js";
import styles from "./shell.module.css";
import { texts } from "./texts.js";

/** The frame of every page: navigation at the side (a drawer on phones), header with search and user menu. */
export function Layout({ children }: { children: ReactNode }) {
  const organization = useOptionalOrganization();
  const [drawer, { open, close }] = useDisclosure(false);
  const main = useFocusOnNavigation(close);
  const navigation = (
    <>
      <OrganizationSwitcher />
      <Navigation />
    </>
  );

  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {texts.skip}
      </a>
      <aside className={styles.side}>
        <Link className={styles.brand} href="~/">
          <Logo size={22} /> {texts.product}
        </Link>
        {navigation}
      </aside>
      <Drawer opened={drawer} onClose={close} size={280} title={texts.product} padding="md">
        {navigation}
      </Drawer>
      <div className={styles.column}>
        <header className={styles.header}>
          <ActionIcon
            className={styles.burger}
            variant="subtle"
            color="gray"
            size="lg"
            onClick={open}
            aria-label={texts.openNavigation}
          >
            <IconMenu2 size={20} />
          </ActionIcon>
          <div className={styles.search}>
            <SearchBox />
          </div>
          <UserMenu />
        </header>
        <main id="content" className={styles.main} ref={main} tabIndex={-1}>
          {organization ? <p className={styles.organization}>{organization.name}</p> : null}
          <PasswordReminder />
          {children}
        </main>
      </div>
    </div>
  );
}

/** Moves the focus to the new page, but not on the first one. */
function useFocusOnNavigation(onNavigate: () => void) {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    onNavigate();
    // Keeps the focus while arrow keys switch tabs.
    if (document.activeElement?.role === "tab") return;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path, onNavigate]);
  return main;
}

function Navigation() {
  const groups = useNavigation();
  return (
    <nav aria-label={texts.navigation.label} className={styles.navigation}>
      {groups.map((group) => (
        <div key={group.title ?? "start"}>
          {group.title ? <p className={styles.title}>{group.title}</p> : null}
          <ul className={styles.list}>
            {group.entries.map((entry) => (
              <NavigationLink key={entry.to} {...entry} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function NavigationLink({ to, label, icon: EntryIcon, mark: Mark }: Destination) {
  const [path] = useLocation();
  const features = useFeatures();
  const organization = useOptionalOrganization();
  const preload = () => preloadPage(features, organization ? `/organizations/${organization.uuid}${to}` : to);
  const isCurrent = to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link
        href={to}
        className={styles.link}
        aria-current={isCurrent ? "page" : undefined}
        onPointerEnter={preload}
        onFocus={preload}
      >
        <EntryIcon size={17} stroke={1.7} aria-hidden />
        {label}
        {Mark ? <Mark /> : null}
      </Link>
    </li>
  );
}

/** Shows the current organization. Users of several can switch. */
function OrganizationSwitcher() {
  const organization = useOptionalOrganization();
  const { user, organizations } = useSession();
  const [only, ...others] = organizations;
  const hasChoice = user.isOperator || others.length > 0;
  const name = (
    <>
      <span className={styles.name}>{organization?.name ?? texts.organizations.choose}</span>
      {organization?.isDemo ? (
        <Badge size="sm" color="grape">
          {texts.organizations.demo}
        </Badge>
      ) : null}
    </>
  );
  if (!hasChoice && organization) return <div className={styles.fixed}>{name}</div>;
  if (!hasChoice && only)
    return (
      <Anchor component={Link} href={`~/organizations/${only.uuid}`} className={styles.fixed}>
        {texts.organizations.backTo(only.name)}
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
        aria-label={texts.organizations.find}
        placeholder={texts.organizations.find}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={320}>
        {list.data?.data.map((organization) => (
          <Menu.Item
            key={organization.uuid}
            component={Link}
            href={`~/organizations/${organization.uuid}`}
            rightSection={
              organization.uuid === current ? (
                <IconCheck size={14} aria-label={texts.organizations.current} />
              ) : null
            }
          >
            {organization.name}
          </Menu.Item>
        ))}
        {list.data?.data.length === 0 ? (
          <Text size="sm" c="dimmed" p="xs">
            {texts.organizations.none}
          </Text>
        ) : null}
        {list.data?.hasNextPage ? (
          <Text size="sm" c="dimmed" p="xs">
            {texts.organizations.more(list.data.totalCount - list.data.data.length)}
          </Text>
        ) : null}
      </ScrollArea.Autosize>
      <Menu.Divider />
      {user.isOperator ? (
        <Menu.Item component={Link} href="~/">
          {texts.organizations.all}
        </Menu.Item>
      ) : null}
      <Menu.Item component={Link} href="~/organizations">
        {user.isOperator ? texts.organizations.manage : texts.organizations.all}
      </Menu.Item>
    </>
  );
}

function UserMenu() {
  const { user } = useSession();
  const organization = useOptionalOrganization();
  const { account, signOut, theme } = useUserCommands();
  return (
    <Menu width={230} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.userMenu.label(user.email)}>
          <IconUserCircle size={22} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)" truncate>
            {user.email}
          </Text>
          {user.isOperator ? texts.userMenu.operator : organization?.role}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<theme.icon size={16} />} onClick={theme.run} closeMenuOnClick={false}>
          {theme.label}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs">
          {texts.userMenu.apiReference}
        </Menu.Item>
        <Menu.Item leftSection={<account.icon size={16} />} component={Link} href={account.to}>
          {account.label}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<signOut.icon size={16} />} onClick={signOut.run}>
          {signOut.label}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
