import { Anchor, Button } from "@mantine/core";
import type { FirstSteps as Done } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { useMayChange, useOrganization } from "../../core/session/session.js";
import { IconCheck } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { texts } from "./texts.js";
import styles from "./first-steps.module.css";

const steps = ["location", "apiKey", "record", "member"] as const satisfies (keyof Done)[];

const links = {
  location: "/locations/new",
  apiKey: "/settings/api-keys?dialog=create",
  record: "/uploads/new",
  member: "/settings/members?dialog=invite",
};

/** What admins of a new organization do first. Hidden when everything is done, or when the person hides it. */
export default function FirstSteps() {
  const { uuid, isDemo } = useOrganization();
  const mayChange = useMayChange();
  const { data } = useApi("getFirstSteps");
  const [, setHiddenIn] = useState("");
  const hiddenKey = `gatehouse-first-steps-hidden-${uuid}`;
  const hide = () => {
    localStorage.setItem(hiddenKey, "yes");
    setHiddenIn(uuid);
  };
  if (!data || !mayChange || isDemo || localStorage.getItem(hiddenKey) !== null) return null;
  return steps.every((step) => data[step]) ? null : <Steps loaded={data} onHide={hide} />;
}

/** Refreshes while it is shown. */
function Steps({ loaded, onHide }: { loaded: Done; onHide: () => void }) {
  const { data = loaded } = useApi("getFirstSteps", { live: true });
  const hasUploads = useHasFeature("uploads");
  const done = steps.filter((step) => data[step]).length;
  return (
    <Panel
      title={texts.firstSteps.title}
      description={texts.firstSteps.done(done, steps.length)}
      actions={
        <Button variant="default" size="xs" onClick={onHide}>
          {texts.firstSteps.hide}
        </Button>
      }
    >
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step} className={styles.step}>
            {data[step] ? (
              <span className={styles.done}>
                <IconCheck size={14} stroke={3} aria-hidden />
                <span className="visually-hidden">{texts.firstSteps.isDone} </span>
              </span>
            ) : (
              <span className={styles.open} />
            )}
            <div>
              {data[step] ? (
                <span className={styles.past}>{texts.firstSteps.names[step]}</span>
              ) : (
                <Anchor component={Link} href={step === "record" && !hasUploads ? "/imports" : links[step]}>
                  {texts.firstSteps.names[step]}
                </Anchor>
              )}
              <p className={styles.help}>{texts.firstSteps.help[step]}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
