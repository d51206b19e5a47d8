import { permissions } from "@gatehouse-parking/contract";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CommandResult } from "../command.js";
import { send } from "../requests.js";
import {
  leave,
  placeAt,
  startService,
  stop,
  until,
  type Place,
  type RunningService,
} from "../running-service.js";
import { startDatabase, type FleetDatabase } from "./database.js";
import { startProxy, type Proxy } from "./proxy.js";

/** Several instances of the service, as separate processes, on the rig's database. */
export interface Fleet<Each extends Instance = Instance> {
  database: FleetDatabase;
  instances: Each[];
  /** A command that runs beside the instances. */
  gatehouse(...commandArguments: string[]): Promise<CommandResult>;
  /** The same, with standard input. */
  tell(input: string, ...commandArguments: string[]): Promise<CommandResult>;
  /** An organization with a location in New York and a key with all permissions. */
  newTenant(name: string): Promise<Tenant>;
  leave(): Promise<void>;
}

export interface Instance {
  /** The current process. A restarted one has other ports. */
  service: RunningService;
  kill(): Promise<void>;
  start(): Promise<void>;
  isReady(): Promise<boolean>;
}

export interface ProxiedInstance extends Instance {
  /** Between the instance and its database. */
  proxy: Proxy;
}

export interface Tenant {
  organizationUuid: string;
  locationUuid: string;
  key: string;
  keyUuid: string;
}

export const liftedLimits = [
  "submitLead",
  "importTransactions",
  "importAccounts",
  "importSubscriptions",
  "listLocations",
  "listImports",
  "getImport",
]
  .map((operation) => `${operation}=1000000/60`)
  .join(",");

/** On a separate server, or on the one that the caller provides. */
export function startFleet(
  size: number,
  variables: Record<string, string> = {},
  makeDatabase: () => Promise<FleetDatabase> = startDatabase,
): Promise<Fleet> {
  return gatherFleet(size, variables, makeDatabase, (placeOn, { connectionString }) =>
    startInstance(placeOn(connectionString)),
  );
}

/**
 * The same, with database connections that can be disturbed and that follow a restarted database. All traffic
 * goes through the rig's thread, so rigs that measure must not use it.
 */
export async function startProxiedFleet(
  size: number,
  makeDatabase: () => Promise<FleetDatabase> = startDatabase,
): Promise<Fleet<ProxiedInstance>> {
  const proxies: Proxy[] = [];
  const closeProxies = () => Promise.all(proxies.map((proxy) => proxy.close()));
  const startBehindProxy: StartInstance<ProxiedInstance> = async (placeOn, database) => {
    const address = new URL(database.connectionString);
    const proxy = await startProxy(() => Number(new URL(database.connectionString).port));
    proxies.push(proxy);
    address.port = String(proxy.port);
    const instance = await startInstance(placeOn(address.href));
    return Object.assign(instance, { proxy });
  };
  try {
    const fleet = await gatherFleet(size, {}, makeDatabase, startBehindProxy);
    return { ...fleet, leave: () => fleet.leave().finally(closeProxies) };
  } catch (error) {
    await closeProxies();
    throw error;
  }
}

type StartInstance<Each extends Instance> = (
  placeOn: (connectionString: string) => Place,
  database: FleetDatabase,
) => Promise<Each>;

async function gatherFleet<Each extends Instance>(
  size: number,
  variables: Record<string, string>,
  makeDatabase: () => Promise<FleetDatabase>,
  startOne: StartInstance<Each>,
): Promise<Fleet<Each>> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
  const database = await makeDatabase();
  const shared = { GATEHOUSE_DEMO: "off", GATEHOUSE_LIMITS: liftedLimits, LOG_LEVEL: "warn", ...variables };
  const placeOn = (connectionString: string): Place =>
    placeAt(folder, { ...shared, DATABASE_URL: connectionString });
  const beside = (): Place => placeOn(database.connectionString);
  const tell = (input: string, ...commandArguments: string[]): Promise<CommandResult> =>
    beside().gatehouse([...commandArguments, "--json"], input);
  const gatehouse: Fleet["gatehouse"] = (...commandArguments) => tell("", ...commandArguments);
  const instances: Each[] = [];
  const leaveAll = async (): Promise<void> => {
    await Promise.all(instances.map(({ service }) => stop(service)));
    await leave(beside());
    await database.leave();
  };
  try {
    // One after the other: the first creates the certificate and the secret that all of them use, and
    // migrates.
    while (instances.length < size) instances.push(await startOne(placeOn, database));
  } catch (error) {
    await leaveAll();
    throw error;
  }
  return {
    database,
    instances,
    gatehouse,
    tell,
    newTenant: (name) => newTenant(gatehouse, name),
    leave: leaveAll,
  };
}

async function startInstance(place: Place): Promise<Instance> {
  const instance: Instance = {
    service: await startService(place),
    async kill() {
      instance.service.kill("SIGKILL");
      await instance.service.ended;
    },
    async start() {
      instance.service = await startService(place);
    },
    isReady: () =>
      send(`${instance.service.plainAddress}/readyz`, { timeout: 2_000 }).then(
        ({ status }) => status === 200,
        () => false,
      ),
  };
  return instance;
}

export async function untilReady(fleet: Fleet): Promise<void> {
  for (const instance of fleet.instances) await until(() => instance.isReady());
}

export const everyPermission = permissions.flatMap((permission) => ["--permission", permission]);

export async function newTenant(gatehouse: Fleet["gatehouse"], name: string): Promise<Tenant> {
  const { json: organization } = await gatehouse("organization", "create", "--name", name);
  const [location, key] = await Promise.all([
    gatehouse(
      ...["location", "create", "--organization", organization.uuid, "--name", `${name} garage`],
      ...["--address", "1 Main St", "--city", "New York", "--state", "NY", "--zipcode", "10001"],
      ...["--time-zone", "America/New_York"],
    ),
    gatehouse("api-key", "create", "--organization", organization.uuid, "--name", "rig", ...everyPermission),
  ]);
  return {
    organizationUuid: organization.uuid,
    locationUuid: location.json.uuid,
    key: key.json.key,
    keyUuid: key.json.uuid,
  };
}
