import { Skeleton } from "@mantine/core";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { UseQueryResult } from "@tanstack/react-query";
import { Loaded } from "../../core/ui/states.js";
import { relativeTime, useNow } from "../../core/ui/time.js";
import styles from "./installation.module.css";
import { texts } from "./texts.js";

type State = "good" | "warning" | "bad" | "off";

interface Light {
  label: string;
  state: State;
  text: string;
}

/** The state of each part of the service in one line, above everything else. */
export function HealthLights({ query }: { query: UseQueryResult<ServiceHealth> }) {
  const now = useNow();
  return (
    <div className={styles.strip}>
      <Loaded query={query} loading={<Skeleton height={44} />}>
        {(health) => (
          <ul className={styles.lights} aria-label={texts.lights.title}>
            {lightsOf(health, now).map(({ label, state, text }) => (
              <li key={label} className={styles.light}>
                <span className={styles.dot} data-state={state} aria-hidden="true" />
                <span>
                  <span className={styles.lightLabel}>{label}</span>
                  <span className={styles.lightText}>
                    {state === "good" ? null : <b>{texts.lights.states[state]} </b>}
                    {text}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}

const expirySoonMs = 21 * 86_400_000;
const manyUploads = 1_000;

export function expiryState(expiresAt: string, now: number): State {
  const left = Date.parse(expiresAt) - now;
  if (left < 0) return "bad";
  return left < expirySoonMs ? "warning" : "good";
}

function lightsOf(health: ServiceHealth, now: number): Light[] {
  const { database, schema, certificate, instances, uploadsWaiting, unknownEnds } = health;
  const words = texts.lights;
  const versions = new Set(instances.map(({ version }) => version));
  return [
    {
      label: texts.service.database,
      state: database.failedRestarts > 0 ? "bad" : "good",
      text: words.ping(database.pingMs),
    },
    {
      label: texts.service.schema,
      state: schema.state === "current" ? "good" : "warning",
      text: texts.service.schemaStates[schema.state],
    },
    certificate
      ? {
          label: texts.service.certificate,
          state: expiryState(certificate.expiresAt, now),
          text: words.expires(relativeTime(certificate.expiresAt, now)),
        }
      : { label: texts.service.certificate, state: "off", text: words.elsewhere },
    { label: words.backups, ...backupLight(health, now) },
    {
      label: words.instances,
      state: versions.size > 1 ? "warning" : "good",
      text: words.running(Math.max(1, instances.length), versions.size),
    },
    {
      label: words.uploads,
      state: uploadsWaiting >= manyUploads ? "warning" : "good",
      text: words.waiting(uploadsWaiting, uploadsWaiting >= manyUploads),
    },
    ...(unknownEnds > 0
      ? [{ label: words.imports, state: "warning" as const, text: words.unknown(unknownEnds) }]
      : []),
  ];
}

function backupLight({ scheduledBackups, backup }: ServiceHealth, now: number): Omit<Light, "label"> {
  const words = texts.lights;
  const last = scheduledBackups ? scheduledBackups.lastGood : backup;
  const text = last ? words.lastBackup(relativeTime(last.createdAt, now)) : words.noBackup;
  if (!scheduledBackups) return { state: "off", text };
  if (scheduledBackups.isOverdue) return { state: "bad", text };
  return { state: scheduledBackups.failure ? "warning" : "good", text };
}
