/**
 * How many files a process must be allowed to have open. Measured, a start takes 150 at once, because Node reads the modules
 * side by side; the rest is for the connections to the database and for some of clients.
 */
export const fewestOpenFiles = 256;

interface Report {
  /** Windows knows no such limits. */
  userLimits?: { open_files: { soft: number | "unlimited" } };
}

/** Why no command can run, in one sentence; undefined where enough files may be open. */
export function openFilesProblem(): string | undefined {
  const { userLimits } = process.report.getReport() as Report;
  const allowed = userLimits?.open_files.soft;
  if (typeof allowed !== "number" || allowed >= fewestOpenFiles) return undefined;
  return `This process may open ${allowed} files, and Gatehouse needs at least ${fewestOpenFiles}. Raise the limit: "ulimit -n ${fewestOpenFiles}" in a shell, LimitNOFILE in a unit of systemd, --ulimit nofile for a container.`;
}
