import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { SetUpSecondFactor } from "./set-up-second-factor.js";

/**
 * In the place of every page of an organization that asks for a second factor, for somebody who has none; and of those above
 * all organizations, if there is such an organization.
 */
export default function SecondFactorRequired({ onDone, of }: { onDone: () => void; of: "one" | "all" }) {
  return (
    <Page title="Set up a second factor">
      <Panel
        description={
          of === "one"
            ? "This organization requires a second factor. Its pages open once you have one."
            : "An organization of this installation requires a second factor. The pages about all of them open once you have one."
        }
      >
        <SetUpSecondFactor onDone={onDone} />
      </Panel>
    </Page>
  );
}
