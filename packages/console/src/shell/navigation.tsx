import {
  IconChartBar,
  IconFileImport,
  IconInbox,
  IconMapPin,
  IconSettings,
  IconTerminal2,
  IconTestPipe,
  IconUpload,
  IconUserCircle,
  type Icon,
} from "../ui/icons.js";
import { Link, useLocation } from "wouter";
import { kinds, recordKinds } from "../records/kinds.js";
import { useOrganization } from "../session/organization.js";
import { useMayChange } from "../session/session.js";
import styles from "./navigation.module.css";

interface Entry {
  to: string;
  label: string;
  icon: Icon;
}

export function Navigation() {
  const { isDemo } = useOrganization();
  const mayChange = useMayChange();
  const groups: { title?: string; entries: Entry[] }[] = [
    {
      entries: [
        { to: "/", label: "Overview", icon: IconChartBar },
        { to: "/imports", label: "Import runs", icon: IconFileImport },
        { to: "/requests", label: "Requests", icon: IconTerminal2 },
        { to: "/leads", label: "Leads", icon: IconInbox },
      ],
    },
    {
      title: "Records",
      entries: recordKinds.map((kind) => ({
        to: `/records/${kind}`,
        label: kinds[kind].plural,
        icon: kinds[kind].icon,
      })),
    },
    {
      title: "Manage",
      entries: [
        { to: "/locations", label: "Locations", icon: IconMapPin },
        { to: "/uploads", label: "Uploads", icon: IconUpload },
        ...(isDemo ? [{ to: "/sandbox", label: "Sandbox", icon: IconTestPipe }] : []),
        ...(mayChange ? [{ to: "/people", label: "Personal data", icon: IconUserCircle }] : []),
        { to: "/settings", label: "Organization Settings", icon: IconSettings },
      ],
    },
  ];
  return (
    <nav aria-label="Main" className={styles.navigation}>
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

function NavigationLink({ to, label, icon: EntryIcon }: Entry) {
  const [path] = useLocation();
  const isCurrent = to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link href={to} className={styles.link} aria-current={isCurrent ? "page" : undefined}>
        <EntryIcon size={17} stroke={1.7} aria-hidden />
        {label}
      </Link>
    </li>
  );
}
