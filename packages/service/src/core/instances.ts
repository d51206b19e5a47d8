import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "./clock.js";
import { uuidv7 } from "./uuidv7.js";
import { packageVersion } from "./version.js";

/** Instances send a heartbeat every minute. Without one for this long, an instance counts as gone. */
const goneSeconds = 180;
const maxInstances = 100;

/** This process among the instances that share the database. */
export class Instance {
  readonly version = packageVersion();
  readonly #pool: pg.Pool;
  readonly #id = uuidv7();
  readonly #startedAt = new Date(nowMs());
  #isListed = false;
  #address: string | null = null;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Registers the instance with the address that commands put into links. */
  async listen(address: string): Promise<void> {
    this.#address = address;
    await this.heartbeat();
  }

  async heartbeat(): Promise<void> {
    await this.#pool.query(
      `insert into instances (id, version, started_at, seen_at, address) values ($1, $2, $3, now(), $4)
       on conflict (id) do update set seen_at = now(), address = excluded.address`,
      [this.#id, this.version, this.#startedAt, this.#address],
    );
    this.#isListed = true;
    await this.#pool.query(
      `delete from instances where seen_at < now() - interval '${goneSeconds} seconds' and id <> $1`,
      [this.#id],
    );
  }

  async deregister(): Promise<void> {
    if (this.#isListed) await this.#pool.query("delete from instances where id = $1", [this.#id]);
  }

  async listAll(): Promise<ServiceHealth["instances"]> {
    const { rows } = await this.#pool.query<{
      id: string;
      version: string;
      started_at: Date;
      seen_at: Date;
    }>(
      `select id, version, started_at, seen_at from instances
       where seen_at >= now() - interval '${goneSeconds} seconds' order by started_at, id limit ${maxInstances}`,
    );
    return rows.map((row) => ({
      uuid: row.id,
      version: row.version,
      startedAt: row.started_at.toISOString(),
      seenAt: row.seen_at.toISOString(),
      isThis: row.id === this.#id,
    }));
  }
}

/** The address of the instance that started last; undefined if none runs. */
export async function runningAddress(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ address: string }>(
    `select address from instances
     where address is not null and seen_at >= now() - interval '${goneSeconds} seconds'
     order by started_at desc, id desc limit 1`,
  );
  return rows[0]?.address;
}
