import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Drawer,
  Menu,
  ScrollArea,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useMutation } from "@tanstack/react-query";
import { PasswordReminder } from "../account/password.js";
import { request } from "../api/client.js";
import { useApi } from "../api/queries.js";
import { type NavigationEntry, Slot, useFeatures } from "../features.js";
import { kinds, recordKinds } from "../records/record-kinds.js";
import { useEnterSession, useOptionalOrganization, useOrganization, useSession } from "../session/session.js";
import {
  IconBook,
  IconCheck,
  IconFileImport,
  IconInbox,
  IconLogout,
  IconMapPin,
  IconMenu2,
  IconMoon,
  IconSelector,
  IconSettings,
  IconShieldLock,
  IconSun,
  IconUserCircle,
  Logo,
} from "../ui/icons.js";
import { NewLeadCount } from "./new-lead-count.js";
import styles from "./shell.module.css";
import { texts } from "./texts.js";

/** The frame of every page: navigation at the side (a drawer on phones), header with search and user menu. */
export function Layout({ children }: { children: ReactNode }) {
  const organization = useOptionalOrganization();
  const { user } = useSession();
  const [drawer, { open, close }] = useDisclosure(false);
  const main = useFocusOnNavigation(close);
  const navigation = (
    <>
      <OrganizationSwitcher />
      {organization ? <Navigation /> : null}
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
            {organization ? (
              <Slot name="organizationHeader" props={{}} />
            ) : user.isOperator ? (
              <Slot name="operatorHeader" props={{}} />
            ) : null}
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

const coreEntries: NavigationEntry[] = [
  { to: "/imports", label: texts.navigation.imports, icon: IconFileImport, group: "start", order: 20 },
  {
    to: "/leads",
    label: texts.navigation.leads,
    icon: IconInbox,
    group: "start",
    order: 40,
    mark: NewLeadCount,
  },
  { to: "/locations", label: texts.navigation.locations, icon: IconMapPin, group: "manage", order: 10 },
  { to: "/settings", label: texts.navigation.settings, icon: IconSettings, group: "manage", order: 50 },
];

function Navigation() {
  const organization = useOrganization();
  const entries = [...coreEntries, ...useFeatures().flatMap(({ navigation = [] }) => navigation)]
    .filter(({ isShown }) => isShown?.(organization) ?? true)
    .toSorted((one, other) => one.order - other.order);
  const groups = [
    { title: undefined, entries: entries.filter(({ group }) => group === "start") },
    {
      title: texts.navigation.records,
      entries: recordKinds.map((kind) => ({
        to: `/records/${kind}`,
        label: kinds[kind].plural,
        icon: kinds[kind].icon,
      })),
    },
    { title: texts.navigation.manage, entries: entries.filter(({ group }) => group === "manage") },
  ];
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

function NavigationLink({
  to,
  label,
  icon: EntryIcon,
  mark: Mark,
}: Pick<NavigationEntry, "to" | "label" | "icon" | "mark">) {
  const [path] = useLocation();
  const isCurrent = to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link href={to} className={styles.link} aria-current={isCurrent ? "page" : undefined}>
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
  const enter = useEnterSession();
  // Suspending transitions would add a style element, which the content policy refuses.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme("light");
  const signOut = useMutation({ mutationFn: () => request("signOut"), onSuccess: () => enter(null) });

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
        <Menu.Item
          leftSection={scheme === "dark" ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
          closeMenuOnClick={false}
        >
          {scheme === "dark" ? texts.userMenu.lightMode : texts.userMenu.darkMode}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs">
          {texts.userMenu.apiReference}
        </Menu.Item>
        <Menu.Item leftSection={<IconShieldLock size={16} />} component={Link} href="~/account">
          {texts.userMenu.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {texts.userMenu.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
