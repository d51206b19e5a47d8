import { useId, useState } from "react";
import styles from "./file-drop.module.css";
import { IconFileUpload } from "./icons.js";
import { texts } from "./texts.js";

/** A drop zone for one file. The native file input covers it, so dropping and the keyboard work. */
export function FileDrop({
  label,
  hint,
  accept,
  onFile,
}: {
  label: string;
  hint?: string;
  accept: string;
  onFile: (file: File) => void;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div className={styles.field}>
      <input
        id={id}
        type="file"
        accept={accept}
        className={styles.input}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          // Allows choosing the same file again.
          event.currentTarget.value = "";
        }}
      />
      <label htmlFor={id} className={styles.drop} data-over={over || undefined}>
        <IconFileUpload size={26} stroke={1.5} aria-hidden />
        <span className={styles.label}>{label}</span>
        <span className={styles.hint}>{hint ?? texts.chooseFile}</span>
      </label>
    </div>
  );
}
