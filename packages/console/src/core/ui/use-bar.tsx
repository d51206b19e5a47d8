import { Progress } from "@mantine/core";

/** How much of a limit is used. */
export function UseBar({ share, label }: { share: number; label: string }) {
  return (
    <Progress
      value={Math.min(1, share) * 100}
      color={share >= 1 ? "red" : "harbour"}
      size={5}
      aria-label={label}
    />
  );
}
