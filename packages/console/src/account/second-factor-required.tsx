import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { SetUpSecondFactor } from "./set-up-second-factor.js";

/** In the place of every page of an organization that asks for a second factor, for somebody who has none. */
export default function SecondFactorRequired({ onDone }: { onDone: () => void }) {
  return (
    <Page title="Set up a second factor">
      <Panel description="This organization requires a second factor. Its pages open once you have one.">
        <SetUpSecondFactor onDone={onDone} />
      </Panel>
    </Page>
  );
}
