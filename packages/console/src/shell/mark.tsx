/** The gate of the name. */
export function Mark({ size }: { size: number }) {
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
