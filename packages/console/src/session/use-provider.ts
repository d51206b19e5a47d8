import { useMutation } from "@tanstack/react-query";
import { request } from "../api/client.js";
import { useApi } from "../api/queries.js";
import { rememberedPage } from "./remembered-page.js";

/** The sign-in that a company has of its own, if the operator has set one up, and the way there from this page. */
export function useProvider() {
  const ways = useApi("getSignInWays");
  const start = useMutation({
    mutationFn: () => request("startProviderSignIn"),
    onSuccess: ({ address }) => {
      rememberedPage.write(window.location.pathname + window.location.search);
      window.location.assign(address);
    },
  });
  return { provider: ways.data?.provider, start };
}
