const key = "gatehouse-page";

/** The page that was asked for, while the browser is at the provider. Only ever a path of the console. */
export const rememberedPage = {
  write: (path: string) => sessionStorage.setItem(key, path),
  take: (): string => {
    const path = sessionStorage.getItem(key) ?? "/";
    sessionStorage.removeItem(key);
    return path.startsWith("/") && !path.startsWith("//") ? path : "/";
  },
};
