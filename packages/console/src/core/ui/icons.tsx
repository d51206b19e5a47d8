// One import per icon: the package's index would make the bundler read 6,000 files.
export { default as IconAlertTriangle } from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
export { default as IconArrowDown } from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
export { default as IconArrowUp } from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
export { default as IconArrowBackUp } from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
export { default as IconBook } from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
export { default as IconBuildingSkyscraper } from "@tabler/icons-react/dist/esm/icons/IconBuildingSkyscraper.mjs";
export { default as IconCar } from "@tabler/icons-react/dist/esm/icons/IconCar.mjs";
export { default as IconChartBar } from "@tabler/icons-react/dist/esm/icons/IconChartBar.mjs";
export { default as IconCheck } from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
export { default as IconChevronDown } from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
export { default as IconChevronLeft } from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
export { default as IconChevronRight } from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
export { default as IconClockExclamation } from "@tabler/icons-react/dist/esm/icons/IconClockExclamation.mjs";
export { default as IconCopy } from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
export { default as IconDots } from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
export { default as IconDownload } from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
export { default as IconFileImport } from "@tabler/icons-react/dist/esm/icons/IconFileImport.mjs";
export { default as IconFileUpload } from "@tabler/icons-react/dist/esm/icons/IconFileUpload.mjs";
export { default as IconFilter } from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
export { default as IconHeartbeat } from "@tabler/icons-react/dist/esm/icons/IconHeartbeat.mjs";
export { default as IconHistory } from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
export { default as IconInbox } from "@tabler/icons-react/dist/esm/icons/IconInbox.mjs";
export { default as IconKey } from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
export { default as IconLogout } from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs";
export { default as IconMapPin } from "@tabler/icons-react/dist/esm/icons/IconMapPin.mjs";
export { default as IconMenu2 } from "@tabler/icons-react/dist/esm/icons/IconMenu2.mjs";
export { default as IconMoon } from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
export { default as IconPlayerPlay } from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
export { default as IconPlus } from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
export { default as IconReceipt } from "@tabler/icons-react/dist/esm/icons/IconReceipt.mjs";
export { default as IconRefresh } from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
export { default as IconRepeat } from "@tabler/icons-react/dist/esm/icons/IconRepeat.mjs";
export { default as IconSearch } from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
export { default as IconSelector } from "@tabler/icons-react/dist/esm/icons/IconSelector.mjs";
export { default as IconSettings } from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
export { default as IconShieldLock } from "@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs";
export { default as IconSun } from "@tabler/icons-react/dist/esm/icons/IconSun.mjs";
export { default as IconTerminal2 } from "@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs";
export { default as IconTestPipe } from "@tabler/icons-react/dist/esm/icons/IconTestPipe.mjs";
export { default as IconTrash } from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
export { default as IconUpload } from "@tabler/icons-react/dist/esm/icons/IconUpload.mjs";
export { default as IconUserCircle } from "@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs";
export { default as IconUsers } from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
export type { Icon } from "@tabler/icons-react";

export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="var(--mantine-color-harbour-7)" />
      <g fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7 25V13a9 9 0 0 1 18 0v12" />
        <path d="M12 25v-8h8v8" />
      </g>
    </svg>
  );
}
