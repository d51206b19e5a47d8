import type { OrganizationSummary } from "@gatehouse-parking/contract/console";
import { createContext, useContext } from "react";

export const OrganizationContext = createContext<OrganizationSummary | null>(null);

export function useOptionalOrganization(): OrganizationSummary | null {
  return useContext(OrganizationContext);
}

export function useOrganization(): OrganizationSummary {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error("This part of the console lies inside an organization");
  return organization;
}

const rememberedKey = "gatehouse-organization";

/** The organization an operator looked at last, so that `/` leads back there. */
export const rememberedOrganization = {
  read: () => localStorage.getItem(rememberedKey),
  write: (uuid: string) => localStorage.setItem(rememberedKey, uuid),
  forget: () => localStorage.removeItem(rememberedKey),
};
