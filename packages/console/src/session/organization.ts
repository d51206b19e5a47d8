import type { OrganizationSummary, Role } from "@gatehouse-parking/contract/console";
import { createContext, useContext } from "react";

/** The organization on screen, and what the person is in it: they may be something else in another. */
export type OrganizationOnScreen = OrganizationSummary & { role: Role };

export const OrganizationContext = createContext<OrganizationOnScreen | null>(null);

export function useOptionalOrganization(): OrganizationOnScreen | null {
  return useContext(OrganizationContext);
}

export function useOrganization(): OrganizationOnScreen {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error("This part of the console lies inside an organization");
  return organization;
}

const rememberedKey = "gatehouse-organization";

/** The organization somebody looked at last, so that `/` leads back there. */
export const rememberedOrganization = {
  read: () => localStorage.getItem(rememberedKey),
  write: (uuid: string) => localStorage.setItem(rememberedKey, uuid),
  forget: () => localStorage.removeItem(rememberedKey),
};
