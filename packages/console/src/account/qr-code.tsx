import encodeQr from "qr";
import styles from "./account.module.css";

/** Dark on light in either mode: not every camera reads it the other way round. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQr(text, "raw", { ecc: "medium", border: 2 });
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      className={styles.qrCode}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className={styles.qrLight} d={`M0 0h${rows.length}v${rows.length}H0z`} />
      <path className={styles.qrDark} d={path} />
    </svg>
  );
}
