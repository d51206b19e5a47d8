import type { Product } from "../src/product.js";

/** A product that has nothing to do with any real one. */
export const example: Product = {
  name: "Example",
  identifier: "example",
  folderVariable: "EXAMPLE_FOLDER",
  createCommand: "example create",
  serverVariable: "EXAMPLE_SERVER",
};
