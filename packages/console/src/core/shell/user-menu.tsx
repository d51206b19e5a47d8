import { ActionIcon, Menu, Text, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { request } from "../api/client.js";
import { useEnterSession, useOptionalOrganization, useSession } from "../session/session.js";
import { IconBook, IconLogout, IconMoon, IconShieldLock, IconSun, IconUserCircle } from "../ui/icons.js";

export function UserMenu() {
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
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Your menu, ${user.email}`}>
          <IconUserCircle size={22} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)" truncate>
            {user.email}
          </Text>
          {user.isOperator ? "operator" : organization?.role}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={scheme === "dark" ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
          closeMenuOnClick={false}
        >
          {scheme === "dark" ? "Light mode" : "Dark mode"}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconShieldLock size={16} />} component={Link} href="~/account">
          Your account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
