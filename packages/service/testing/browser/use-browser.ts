import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";

/** Provides the browser for the calling file or `describe`. Without a browser, its tests are skipped. */
export function useBrowser(): { readonly browser: Browser } {
  const chosen = inject("browser");
  let browser: Browser;
  if ("leftOut" in chosen) {
    beforeEach(({ skip }) => skip(chosen.leftOut));
  } else {
    beforeAll(async () => {
      browser = await chromium.connect(chosen.endpoint);
    });
    afterAll(() => browser.close());
  }
  return {
    get browser() {
      return browser;
    },
  };
}

declare module "vitest" {
  interface ProvidedContext {
    /** For the data of services. Removed after the run. */
    folderOfRun: string;
    browser: { endpoint: string } | { leftOut: string };
  }
}
