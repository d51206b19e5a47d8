import type { Tenant } from "./fleet.js";
import type { Random } from "./rig.js";
import { consoleTable, interfaceRoutes, openRoutes, type DeclaredRoute } from "./routes.js";

/** The most expensive requests that one organization, its users and their address can send to every route. */
export interface WorstRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Its name among the bodies. NUMBER in it is replaced by a new number each time. */
  body?: string;
}

export interface Neighbour extends Tenant {
  address: string;
  cookie: string;
  /** A session of a user who may lose all sessions. */
  spareCookie: string;
  /** Values of path parameters. Others get an unknown identifier. */
  parameters: Record<string, string>;
}

const unknownUuid = "00000000-0000-7000-8000-000000000000";
/** A little below the limit, because numbers differ in width. */
const largeBytes = 5 * 1024 * 1024 - 10_000;
const leadBytes = 256 * 1024 - 1_000;
const consoleBytes = 60 * 1024;
const words = Array.from({ length: 64 }, (_, index) => `w${index}`).join(" ");
/** Deep offsets, large pages, searches without results, under every parameter name that a route might use. */
const queries = [
  "page=1000000000&pageSize=1000000&limit=1000000",
  "page=20&pageSize=500&limit=100",
  `pageSize=500&limit=100&${["query", "q", "text", "search"].map((name) => `${name}=${encodeURIComponent(words)}`).join("&")}`,
];

export function worstRequests(neighbour: Neighbour, random: Random): WorstRequest[] {
  const routes = [...interfaceRoutes, ...consoleTable, ...openRoutes];
  return random.shuffled(routes.flatMap((route) => requestsTo(route, neighbour)));
}

function requestsTo(route: DeclaredRoute, neighbour: Neighbour): WorstRequest[] {
  const path = route.path.replaceAll(
    /:(\w+)/g,
    (_whole, name: string) => neighbour.parameters[name] ?? unknownUuid,
  );
  const headers = headersFor(route, neighbour);
  if (route.method === "GET")
    return queries.map((query) => ({ method: "GET", path: `${path}?${query}`, headers }));
  return [{ method: route.method, path, headers, body: bodyFor(path) }];
}

function headersFor({ method, path, caller }: DeclaredRoute, neighbour: Neighbour): Record<string, string> {
  const { cookie, spareCookie, key, address } = neighbour;
  const endsSessions = method === "DELETE" && path.startsWith("/console/api/session");
  return {
    "x-forwarded-for": address,
    "sec-fetch-site": "same-origin",
    ...(method === "GET" ? {} : { "content-type": "application/json" }),
    ...(caller === "key" ? { "x-api-key": key } : {}),
    ...(caller === "session" ? { cookie: endsSessions ? spareCookie : cookie } : {}),
  };
}

function bodyFor(path: string): string {
  if (path.startsWith("/lead")) return "lead";
  return /\/(transactions|accounts|subscriptions)\b/.exec(path)?.[1] ?? "form";
}

export function worstBodies({ locationUuid }: Tenant): Record<string, string> {
  const filled = (count: number, record: (index: number) => object, name: string): string => {
    const make = (text: string) =>
      JSON.stringify({
        [name]: Array.from({ length: count }, (_, index) => ({ ...record(index), metadata: { text } })),
      });
    const room = largeBytes - Buffer.byteLength(make(""));
    return make("x".repeat(Math.floor(room / count)));
  };
  const transaction = (index: number) => ({
    transactionId: `T-NUMBER-${index}`,
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    vehicle: { licensePlate: `P NUMBER ${index}` },
    contact: { email: `cNUMBER-${index}@example.com` },
    account: { tpReferenceId: `A-NUMBER-${index}`, name: "Acme" },
  });
  const account = (index: number) => ({ tpReferenceId: `B-NUMBER-${index}`, name: "Acme" });
  const subscription = (index: number) => ({ tpReferenceId: `S-NUMBER-${index}`, accountTPReferenceId: "B" });
  const place = { address: "1 Road", city: "Town", state: "NY", zipcode: "1", timeZone: "UTC" };
  return {
    transactions: filled(500, transaction, "transactions"),
    accounts: filled(100, account, "accounts"),
    subscriptions: filled(100, subscription, "subscriptions"),
    lead: JSON.stringify({
      email: "nNUMBER@example.com",
      locationUuid,
      metadata: { text: "x".repeat(leadBytes) },
    }),
    // One body for all forms of the console: each route reads the fields that it knows.
    form: JSON.stringify({
      ...place,
      name: "n-NUMBER",
      email: "nNUMBER@example.com",
      password: "wrong".repeat(200),
      role: "viewer",
      overlapMs: 1_000,
      csv: `name,address,city,state,zipcode,timeZone\n${`Deck NUMBER,${Object.values(place).join(",")}\n`.repeat(500)}`,
      filler: "x".repeat(consoleBytes / 4),
    }),
  };
}
