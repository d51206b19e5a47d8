import type pg from "pg";
import type { KeyUse } from "@gatehouse-parking/contract/console";

interface UseRow {
  api_key_id: string;
  name: string | null;
  prefix: string | null;
  operation: string;
  hour: Date;
  accepted: number;
  limited: number;
  refused: number;
  not_logged: number;
}

const maxUseRows = 20_000;

/** Requests by key, operation and hour. */
export async function readKeyUse(
  pool: pg.Pool,
  input: { organizationId: string; from: Date; to: Date; apiKeyId: string | undefined },
): Promise<KeyUse> {
  const { rows } = await pool.query<UseRow>(
    `select usage.api_key_id, key.name, key.prefix, usage.operation, usage.hour, usage.accepted, usage.limited,
            usage.refused, usage.not_logged
     from api_key_usage as usage
     left join api_keys as key on key.organization_id = usage.organization_id and key.id = usage.api_key_id
     where usage.organization_id = $1 and usage.hour >= date_trunc('hour', $2::timestamptz) and usage.hour < $3
       and ($4::uuid is null or usage.api_key_id = $4)
     order by usage.hour desc, usage.api_key_id, usage.operation limit ${maxUseRows}`,
    [input.organizationId, input.from, input.to, input.apiKeyId ?? null],
  );
  return {
    from: input.from.toISOString(),
    to: input.to.toISOString(),
    data: rows.map((row) => ({
      apiKeyUuid: row.api_key_id,
      name: row.name ?? "",
      prefix: row.prefix ?? "",
      operation: row.operation,
      hour: row.hour.toISOString(),
      accepted: row.accepted,
      limited: row.limited,
      refused: row.refused,
      notLogged: row.not_logged,
    })),
  };
}
