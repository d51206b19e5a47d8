import { readFileSync } from "node:fs";
import { consoleOperations } from "@gatehouse-parking/contract/console";

/** Every route of both interfaces, from the tables that declare them, so new routes are included. */
export interface DeclaredRoute {
  method: string;
  /** Parameters as in :referenceUuid. */
  path: string;
  /** The credential that it requires. */
  caller: "key" | "session" | "anyone";
}

const openApi = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, unknown>>;
};

export const interfaceRoutes: DeclaredRoute[] = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    caller: "key" as const,
  })),
);

export const consoleTable: DeclaredRoute[] = Object.values(consoleOperations).map(
  ({ method, path, role }) => ({
    method,
    path,
    caller: role === "public" ? "anyone" : "session",
  }),
);

/** Routes without a credential, on the same port. */
export const openRoutes: DeclaredRoute[] = ["/livez", "/readyz", "/openapi.json", "/docs", "/"].map(
  (path) => ({
    method: "GET",
    path,
    caller: "anyone",
  }),
);
