import { ActionIcon, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMenu2 } from "../ui/icons.js";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useOptionalOrganization } from "../session/organization.js";
import { useSession } from "../session/session.js";
import { Mark } from "./mark.js";
import { Navigation } from "./navigation.js";
import { OrganizationSwitcher } from "./organization-switcher.js";
import { PasswordReminder } from "./password.js";
import { SearchBox, SearchEverywhereBox } from "./search-box.js";
import { UserMenu } from "./user-menu.js";
import styles from "./layout.module.css";

/** The frame around every page: navigation at the side (a drawer on phones), search and the person's menu at the top. */
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
          <Mark size={22} /> Gatehouse
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
            {organization ? <SearchBox /> : user.isOperator ? <SearchEverywhereBox /> : null}
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

/** A new page is announced and the next Tab goes into it; the first page leaves the focus where it is. */
function useFocusOnNavigation(onNavigate: () => void) {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    onNavigate();
    // Going from tab to tab with the arrow keys must not leave the tabs.
    if (document.activeElement?.role === "tab") return;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path, onNavigate]);
  return main;
}
