const reasons = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota of this user is used up"],
  ["EFBIG", "no file of this process may become that large (ulimit -f)"],
]);

/**
 * An error of writing to an open file does not say to which, and so not which disk is full. For writers that remove what
 * they could not complete. Other errors stay as they are.
 */
export function explainFullDisk(error: unknown, file: string): unknown {
  const reason = reasons.get((error as NodeJS.ErrnoException).code ?? "");
  if (reason === undefined) return error;
  return new Error(
    `${file} could not be written: ${reason}. Nothing of it is left. Make room there, or choose another place.`,
    { cause: error },
  );
}
