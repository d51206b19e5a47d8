import type { ResolutionTrace, ResolvedRelation } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import styles from "./trace.module.css";

const relations = [
  ["account", "accounts"],
  ["contact", "contacts"],
  ["vehicle", "vehicles"],
  ["subscription", "subscriptions"],
] as const;

/** How each relation of a transaction was found or made. */
export function Trace({ trace }: { trace: ResolutionTrace }) {
  const given = relations.filter(([name]) => trace[name] !== undefined);
  if (given.length === 0)
    return (
      <p className={styles.none}>The record did not refer to an account, contact, vehicle or subscription.</p>
    );
  return (
    <ul className={styles.list}>
      {given.map(([name, kind]) => {
        const relation = trace[name] as ResolvedRelation;
        return (
          <li key={name} className={styles.item}>
            <span className={styles.name}>{name}</span>
            <span>{sentence(relation.via)}</span>
            {relation.uuid ? (
              <Link href={`/records/${kind}/${relation.uuid}`} className={styles.link}>
                {relation.uuid}
              </Link>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

const sentences: Record<string, string> = {
  uuid: "found by the UUID that was sent",
  reference: "found by its third-party reference",
  email: "found by e-mail",
  phone: "found by phone number",
  plate: "found by license plate",
  created: "created by this record",
  dropped: "dropped: the record has no account to attach it to",
};

export function sentence(via: string): string {
  return sentences[via] ?? via;
}
