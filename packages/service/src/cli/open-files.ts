/**
 * The minimum number of open files per process. A start opens up to 150 at once, because Node.js loads modules in
 * parallel. The rest is for connections to the database and from clients.
 */
export const fewestOpenFiles = 256;

interface Report {
  /** Windows has no such limit. */
  userLimits?: { open_files: { soft: number | "unlimited" } };
}

/** Why commands cannot run. Undefined: the limit is high enough. */
export function openFilesProblem(): string | undefined {
  const { userLimits } = process.report.getReport() as Report;
  const allowed = userLimits?.open_files.soft;
  if (typeof allowed !== "number" || allowed >= fewestOpenFiles) return undefined;
  return `This process may open ${allowed} files, and Gatehouse needs at least ${fewestOpenFiles}. Raise the limit: "ulimit -n ${fewestOpenFiles}" in a shell, LimitNOFILE in a systemd unit, or --ulimit nofile for a container.`;
}
