import { type ComponentType, lazy, useState } from "react";

/** A page whose code is loaded when it is first shown, or before. */
export type LazyPage = ComponentType & { preload: () => void };

/**
 * A page with its own chunk. If it was preloaded, it renders at once: React keeps the fallback of a lazy component for
 * 300 ms, and requests of the page wait for that.
 */
export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let loaded: ComponentType | undefined;
  const Lazy = lazy(load);
  function Page() {
    // The choice stays, because another component would lose the state of the page.
    const [Content] = useState<ComponentType>(() => loaded ?? Lazy);
    return <Content />;
  }
  async function preload() {
    try {
      loaded = (await load()).default;
    } catch {
      // Showing the page tries again and reports it.
    }
  }
  return Object.assign(Page, { preload: () => void preload() });
}
