import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { useQueryState } from "../ui/query-state.js";

export const resultsId = "results";

/** Filters the results table further down and brings it into view. */
export function ShowResults({
  show,
  reason,
  children,
}: {
  show: string;
  reason?: number;
  children: ReactNode;
}) {
  const { set } = useQueryState();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() => {
        set({ show, reason }, { push: true });
        document.getElementById(resultsId)?.scrollIntoView({ block: "start" });
      }}
    >
      {children}
    </Anchor>
  );
}
