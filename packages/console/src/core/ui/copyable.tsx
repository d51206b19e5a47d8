import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import styles from "./copyable.module.css";
import { indentJson } from "./format.js";
import { IconCheck, IconCopy } from "./icons.js";
import { texts } from "./texts.js";

/** A block of code with a copy button. */
export function Code({
  text,
  label,
  copyLabel = texts.copy,
  maxHeight,
}: {
  text: string;
  label: string;
  copyLabel?: string;
  maxHeight?: number;
}) {
  return (
    <div className={styles.frame}>
      {/* Focusable for scrolling with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.text} style={{ maxHeight }} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <div className={styles.copy}>
        <Copy value={text} label={copyLabel} />
      </div>
    </div>
  );
}

/** JSON text, indented but otherwise exactly as sent. */
export function JsonText({ text, label, maxHeight }: { text: string; label: string; maxHeight?: number }) {
  return <Code text={indentJson(text)} label={label} maxHeight={maxHeight} />;
}

function Copy({ value, label = texts.copy }: { value: string; label?: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.copied : label}>
          <ActionIcon
            variant="subtle"
            color={copied ? "teal" : "gray"}
            size="sm"
            onClick={copy}
            aria-label={copied ? texts.copied : label}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An identifier, truncated to the available space, with a copy button. */
export function Identifier({ value, label = texts.copyIdentifier }: { value: string; label?: string }) {
  return (
    <span className={styles.identifier}>
      <span className={styles.value} title={value}>
        {value}
      </span>
      <Copy value={value} label={label} />
    </span>
  );
}
