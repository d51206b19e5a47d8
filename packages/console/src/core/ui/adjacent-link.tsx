import { ActionIcon } from "@mantine/core";
import { Link } from "wouter";
import { IconChevronLeft, IconChevronRight } from "./icons.js";

/** Leads to the neighbour of an object in its list. Null: there is none. Undefined: it is still loading. */
export function AdjacentLink({
  href,
  label,
  direction,
}: {
  href: string | null | undefined;
  label: string;
  direction: "previous" | "next";
}) {
  if (href === null) return null;
  const icon = direction === "previous" ? <IconChevronLeft size={16} /> : <IconChevronRight size={16} />;
  const looks = { variant: "default", size: "lg", "aria-label": label, title: label } as const;
  return href === undefined ? (
    <ActionIcon {...looks} disabled>
      {icon}
    </ActionIcon>
  ) : (
    <ActionIcon {...looks} component={Link} href={href}>
      {icon}
    </ActionIcon>
  );
}
