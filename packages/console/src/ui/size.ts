const kiloByte = 1024;

/** A number of bytes as people say it: 12 KB, 3.4 GB. */
export function sizeText(bytes: number): string {
  if (bytes < kiloByte) return `${bytes} bytes`;
  const [unit, size] =
    bytes < kiloByte ** 2
      ? ["KB", kiloByte]
      : bytes < kiloByte ** 3
        ? ["MB", kiloByte ** 2]
        : ["GB", kiloByte ** 3];
  return `${(bytes / (size as number)).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
