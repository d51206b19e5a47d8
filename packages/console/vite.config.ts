import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type * as Mantine from "@mantine/core";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { stylesInUse } from "./styles-in-use.js";

/**
 * The theme's variables as a style sheet made at build time. The library would write them into a style element in the
 * page, which needs a content policy with inline styles; a file needs none.
 */
function themeStyles(): Plugin {
  const name = "virtual:theme.css";
  return {
    name: "theme-styles",
    // Filters spare the native bundler a call into JavaScript for each of some thousand modules.
    resolveId: { filter: { id: /^virtual:theme\.css$/ }, handler: () => `\0${name}` },
    load: {
      filter: { id: /^\0virtual:theme\.css$/ },
      async handler() {
        const { cssVariablesResolver, theme } = await import("./src/core/theme/theme.js");
        const mantine = await mantineTheming();
        const merged = mantine.mergeMantineTheme(mantine.DEFAULT_THEME, theme);
        return mantine.convertCssVariables(
          mantine.deepMerge(mantine.defaultCssVariablesResolver(merged), cssVariablesResolver(merged)),
          ":root",
        );
      },
    },
  };
}

/** The library's styles. The build keeps only those that are used. */
function componentStyles(): Plugin {
  let isBuild = false;
  return {
    name: "component-styles",
    configResolved({ command }) {
      isBuild = command === "build";
    },
    resolveId: {
      filter: { id: /^virtual:components\.css$/ },
      // Next to the library's own file, so that it is ordered before our styles, which override it.
      handler: () => {
        const whole = fileURLToPath(import.meta.resolve("@mantine/core/styles.css"));
        return isBuild ? join(dirname(whole), "styles-in-use.css") : whole;
      },
    },
    load: { filter: { id: /@mantine[\\/]core[\\/]styles-in-use\.css$/ }, handler: stylesInUse },
  };
}

/** Imports single files: the library's index would load all components, which takes a second at the first start. */
async function mantineTheming(): Promise<typeof Mantine> {
  const core = new URL("core/", import.meta.resolve("@mantine/core"));
  const files = [
    "MantineProvider/default-theme.mjs",
    "MantineProvider/merge-mantine-theme/merge-mantine-theme.mjs",
    "MantineProvider/MantineCssVariables/default-css-variables-resolver.mjs",
    "MantineProvider/convert-css-variables/convert-css-variables.mjs",
    "utils/deep-merge/deep-merge.mjs",
  ];
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(new URL(file, core).href)))));
}

/**
 * Leaves method and path of the declarations in src/core/api/addresses.ts, and plain data of the entities in
 * src/core/records/record-facts.ts. Only the service needs the schemas.
 */
function withoutSchemas(): Plugin {
  return {
    name: "without-schemas",
    apply: "build",
    load: {
      filter: { id: /console\/src\/core\/(api\/addresses|records\/record-facts)\.ts$/ },
      async handler(id) {
        if (id.endsWith("record-facts.ts")) {
          const facts = await import("../contract/src/console/record-facts.js");
          return Object.entries(facts)
            .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
            .join("\n");
        }
        const { consoleOperations } = await import("../contract/src/console/operations.js");
        const addresses = Object.entries(consoleOperations).map(([name, { method, path }]) => [
          name,
          { method, path },
        ]);
        return `export const addresses = ${JSON.stringify(Object.fromEntries(addresses))};`;
      },
    },
  };
}

const libraryOfMostPages =
  /node_modules\/(react|react-dom|scheduler|wouter|regexparam|clsx|@floating-ui|@tabler|@tanstack|@mantine\/(core|hooks|form|notifications))\//;

const worthCompressingBytes = 1_000;
/** 6 % smaller than quality 9, for 2 s of the build. */
const brotliQuality = 10;

/** Every page needs the letters of English. They are requested with the scripts instead of after the styles. */
function preloadedFont(): Plugin {
  return {
    name: "preloaded-font",
    apply: "build",
    transformIndexHtml(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find(
        (name) => name.includes("/inter-latin-wght-normal-") && name.endsWith(".woff2"),
      );
      if (font === undefined) throw new Error("The font of the console is missing");
      const attrs = { rel: "preload", href: `/${font}`, as: "font", type: "font/woff2", crossorigin: "" };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  };
}

/** Compresses the files at build time, so that the service does not compress them for every request. */
function compressedCopies(): Plugin {
  return {
    name: "compressed-copies",
    apply: "build",
    async writeBundle({ dir = "dist" }) {
      const files = await readdir(dir, { recursive: true });
      for (const file of files.filter((name) => /\.(js|css|svg|html)$/.test(name))) {
        const path = join(dir, file);
        const content = await readFile(path);
        if (content.length < worthCompressingBytes) continue;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
        await writeFile(
          `${path}.gz`,
          await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
        );
      }
    },
  };
}

const service = `https://127.0.0.1:${process.env["GATEHOUSE_HTTPS_PORT"] ?? "8443"}`;

export default defineConfig({
  base: "/",
  plugins: [react(), componentStyles(), themeStyles(), withoutSchemas(), preloadedFont(), compressedCopies()],
  // The workspaces' sources, so that no build has to precede this one.
  resolve: { conditions: ["source", ...defaultClientConditions] },
  // The worker loads the spreadsheet reader only for spreadsheets.
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The bundled libraries are distributed with the service, and their licenses require this file.
    license: { fileName: "licenses.md" },
    // No inlining: the content security policy forbids data: scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    // Fewer files: the libraries, the shared code, the charts, and the code of each page.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What few pages share does not belong to the first one.
            { name: "library", test: libraryOfMostPages, minShareCount: 6 },
            {
              name: "shared",
              // With the library's styles, so that they stay before ours, which override them.
              test: /console\/src\/core\/(ui|api|session|theme)\/|styles-in-use\.css$|notifications\/styles\.css$|virtual:theme\.css$/,
            },
          ],
        },
      },
    },
  },
  // npm run dev: requests to the API go to the service, whose certificate is self-signed.
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ["/console/api", "/docs", "/openapi.json"].map((path) => [path, { target: service, secure: false }]),
    ),
  },
});
