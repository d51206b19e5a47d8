/** -14400 as -04:00. Seconds, which only historic local mean times have, are shown where there are any. */
export function formatOffset(offsetSeconds: number): string {
  const sign = offsetSeconds < 0 ? "-" : "+";
  const total = Math.abs(offsetSeconds);
  const seconds = total % 60 === 0 ? "" : `:${pad(total % 60)}`;
  return `${sign}${pad(Math.floor(total / 3600))}:${pad(Math.floor(total / 60) % 60)}${seconds}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
