import type { AnswerOf } from "@gatehouse-parking/contract/console";
import { Alert } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useMayChange } from "../../core/session/session.js";
import { IconClockExclamation } from "../../core/ui/icons.js";
import { Page, Panel, PanelLoading } from "../../core/ui/page.js";
import { Empty, Failure } from "../../core/ui/states.js";
import FirstSteps from "./first-steps.js";
import { LocalDays } from "./local-days.js";
import { Outcomes, TopReasons } from "./outcomes.js";
import styles from "./overview.module.css";
import { KeyUsage, LimitUsage } from "./usage.js";
import { texts } from "./texts.js";

export default function OverviewPage() {
  const steps = useApi("getFirstSteps");
  const warnings = useApi("getClockWarnings");
  // The first parts move all others, so the others become visible together with them.
  const isPending = steps.isPending || warnings.isPending;
  return (
    <Page title={texts.title}>
      {isPending ? <PanelLoading /> : null}
      <div className={isPending ? styles.hidden : styles.shown}>
        <FirstSteps />
        {steps.data?.record === false ? <NothingImported /> : null}
        <ClockWarnings query={warnings} />
        <Outcomes />
        <LocalDays />
        <div className={styles.two}>
          <TopReasons />
          <LimitUsage />
        </div>
        <KeyUsage />
      </div>
    </Page>
  );
}

/** Viewers have nothing to do. */
function NothingImported() {
  return useMayChange() ? null : (
    <Panel>
      <Empty title={texts.nothingImported.title}>{texts.nothingImported.text}</Empty>
    </Panel>
  );
}

/** Local times sent with a Z would silently put every sale on the wrong hour. */
function ClockWarnings({ query }: { query: UseQueryResult<AnswerOf<"getClockWarnings">> }) {
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return query.data?.data.map((warning) => (
    <Alert
      key={`${warning.apiKey?.uuid ?? "console"} ${warning.locationUuid}`}
      color="yellow"
      icon={<IconClockExclamation size={18} />}
      title={texts.timeZoneWarning.title(warning.name)}
    >
      <p className={styles.note}>
        {warning.apiKey === null
          ? texts.timeZoneWarning.uploaded
          : texts.timeZoneWarning.sentWith(
              <Link href={`/settings/api-keys/${warning.apiKey.uuid}`}>
                {warning.apiKey.name || `${warning.apiKey.prefix}…`}
              </Link>,
            )}{" "}
        {warning.explanation}
      </p>
      <p className={styles.note}>
        {texts.timeZoneWarning.examples}{" "}
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
