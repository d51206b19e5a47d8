import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "./icons.js";
import styles from "./copy.module.css";

export function Copy({ value, label = "Copy" }: { value: string; label?: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : label}>
          <ActionIcon
            variant="subtle"
            color={copied ? "teal" : "gray"}
            size="sm"
            onClick={copy}
            aria-label={copied ? "Copied" : label}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An identifier in full, cut by the space there is, with a button that copies the whole of it. */
export function Identifier({ value, label = "Copy identifier" }: { value: string; label?: string }) {
  return (
    <span className={styles.identifier}>
      <span className={styles.value} title={value}>
        {value}
      </span>
      <Copy value={value} label={label} />
    </span>
  );
}
