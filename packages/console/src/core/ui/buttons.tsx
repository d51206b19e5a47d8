import { ActionIcon, Button, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { IconChevronDown, IconDots, IconDownload } from "./icons.js";
import { texts } from "./texts.js";

/** A button that opens a menu. */
export function MenuButton(props: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={props.icon} rightSection={<IconChevronDown size={14} />}>
          {props.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{props.children}</Menu.Dropdown>
    </Menu>
  );
}

interface RowAction {
  label: string;
  onClick: () => void;
  isDangerous?: boolean;
}

/** The actions for a row of a list. */
export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.actionsFor(name)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, onClick, isDangerous }) => (
          <Menu.Item key={label} color={isDangerous ? "red" : undefined} onClick={onClick}>
            {label}…
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function DownloadButton(props: { address: string; size?: "xs"; children: string }) {
  const icon = <IconDownload size={props.size ? 14 : 16} />;
  return (
    <Button
      component="a"
      href={props.address}
      download
      variant="default"
      size={props.size}
      leftSection={icon}
    >
      {props.children}
    </Button>
  );
}

/** A file in a menu. */
export function DownloadItem({ address, children }: { address: string; children: string }) {
  return (
    <Menu.Item component="a" href={address} download>
      {children}
    </Menu.Item>
  );
}
