/** The package has no types for single icon files. */
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { Icon } from "@tabler/icons-react";

  const icon: Icon;
  export default icon;
}

declare module "virtual:theme.css";
declare module "virtual:components.css";
