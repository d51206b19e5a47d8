import { Alert } from "@mantine/core";
import { IconClockExclamation } from "../ui/icons.js";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Failure } from "../ui/states.js";
import styles from "./overview.module.css";

/** A location whose times look like local times sent with a Z would put every sale on the wrong hour, silently. */
export function ClockWarnings() {
  const warnings = useApi("getClockWarnings");
  if (warnings.error) return <Failure error={warnings.error} retry={() => void warnings.refetch()} />;
  return warnings.data?.data.map((warning) => (
    <Alert
      key={`${warning.apiKey?.uuid ?? "console"} ${warning.locationUuid}`}
      color="yellow"
      icon={<IconClockExclamation size={18} />}
      title={`The times of ${warning.name} look like local times sent with a Z`}
    >
      <p className={styles.note}>
        {warning.apiKey === null ? (
          "Uploaded in the console."
        ) : (
          <>
            Sent with the key{" "}
            <Link href={`/settings/api-keys/${warning.apiKey.uuid}`}>
              {warning.apiKey.name || `${warning.apiKey.prefix}…`}
            </Link>
            .
          </>
        )}{" "}
        {warning.explanation}
      </p>
      <p className={styles.note}>
        For example:{" "}
        {warning.examples.map((example, index) => (
          <span key={example.uuid}>
            {index > 0 ? ", " : ""}
            <Link href={`/records/transactions/${example.uuid}`}>{example.transactionId}</Link>
          </span>
        ))}
      </p>
    </Alert>
  ));
}
