import { Copy } from "./copy.js";
import styles from "./code.module.css";
import { indentJson } from "./json-text.js";

/** Text to read or to paste elsewhere: a command, a request, a document. Always shown as text, whatever it contains. */
export function Code({
  text,
  label,
  copyLabel = "Copy",
  maxHeight,
}: {
  text: string;
  label: string;
  copyLabel?: string;
  maxHeight?: number;
}) {
  return (
    <div className={styles.frame}>
      {/* Focusable, so that the keyboard can scroll it. */}
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

/** JSON kept as text by the server, shown exactly as it was sent. */
export function JsonText({ text, label, maxHeight }: { text: string; label: string; maxHeight?: number }) {
  return <Code text={indentJson(text)} label={label} maxHeight={maxHeight} />;
}
