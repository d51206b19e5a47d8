import { ClockWarnings } from "./clock-warnings.js";
import { FirstSteps } from "./first-steps.js";
import { KeyUse } from "./key-use.js";
import { LimitUse } from "./limit-use.js";
import { LocalDays } from "./local-days.js";
import { Outcomes } from "./outcomes.js";
import { TopReasons } from "./top-reasons.js";
import { Page } from "../ui/page.js";
import styles from "./overview.module.css";

/** The organization at a glance: what came in, what went wrong, the business by local day, and the limits. */
export default function OverviewPage() {
  return (
    <Page title="Overview">
      <FirstSteps />
      <ClockWarnings />
      <Outcomes />
      <LocalDays />
      <div className={styles.two}>
        <TopReasons />
        <LimitUse />
      </div>
      <KeyUse />
    </Page>
  );
}
