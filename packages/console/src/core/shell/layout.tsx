import { ActionIcon, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { PasswordReminder } from "../account/password.js";
import { Slot } from "../features.js";
import { useOptionalOrganization, useSession } from "../session/session.js";
import { IconMenu2, Logo } from "../ui/icons.js";
import { Navigation } from "./navigation.js";
import { OrganizationSwitcher } from "./organization-switcher.js";
import styles from "./shell.module.css";
import { UserMenu } from "./user-menu.js";

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
        Skip to content
      </a>
      <aside className={styles.side}>
        <Link className={styles.brand} href="~/">
          <Logo size={22} /> Gatehouse
        </Link>
        {navigation}
      </aside>
      <Drawer opened={drawer} onClose={close} size={280} title="Gatehouse" padding="md">
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
            aria-label="Open navigation"
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
