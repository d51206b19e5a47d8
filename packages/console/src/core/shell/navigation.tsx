import { Link, useLocation } from "wouter";
import { useFeatures, type NavigationEntry } from "../features.js";
import { kinds, recordKinds } from "../records/record-kinds.js";
import { useOrganization } from "../session/session.js";
import { IconFileImport, IconInbox, IconMapPin, IconSettings } from "../ui/icons.js";
import styles from "./shell.module.css";

const coreEntries: NavigationEntry[] = [
  { to: "/imports", label: "Import runs", icon: IconFileImport, group: "start", order: 20 },
  { to: "/leads", label: "Leads", icon: IconInbox, group: "start", order: 40 },
  { to: "/locations", label: "Locations", icon: IconMapPin, group: "manage", order: 10 },
  { to: "/settings", label: "Organization Settings", icon: IconSettings, group: "manage", order: 50 },
];

export function Navigation() {
  const organization = useOrganization();
  const entries = [...coreEntries, ...useFeatures().flatMap(({ navigation = [] }) => navigation)]
    .filter(({ isShown }) => isShown?.(organization) ?? true)
    .toSorted((one, other) => one.order - other.order);
  const groups = [
    { title: undefined, entries: entries.filter(({ group }) => group === "start") },
    {
      title: "Records",
      entries: recordKinds.map((kind) => ({
        to: `/records/${kind}`,
        label: kinds[kind].plural,
        icon: kinds[kind].icon,
      })),
    },
    { title: "Manage", entries: entries.filter(({ group }) => group === "manage") },
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

function NavigationLink({ to, label, icon: EntryIcon }: Pick<NavigationEntry, "to" | "label" | "icon">) {
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
