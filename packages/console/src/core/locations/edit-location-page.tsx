import type { Location } from "@gatehouse-parking/contract";
import { useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { sourceOf } from "../editing/shared-form.js";
import { useMayChange } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { Facts, showValue, type Fact } from "../ui/facts.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { locationFields } from "./location-fields.js";
import { LocationForm } from "./location-form.js";
import { texts } from "./texts.js";

export default function EditLocationPage() {
  const { locationUuid } = useParams();
  if (locationUuid === undefined) {
    return (
      <Page title={texts.add}>
        <Panel>
          <LocationForm />
        </Panel>
      </Page>
    );
  }
  return <ExistingLocation uuid={locationUuid} />;
}

function ExistingLocation({ uuid }: { uuid: string }) {
  const mayChange = useMayChange();
  const location = useApi("getLocation", { parameters: { locationUuid: uuid } });
  if (!location.data) {
    return <UnloadedPage title={texts.choice} query={location} />;
  }
  return (
    <Page
      title={location.data.name}
      description={<Identifier value={location.data.uuid} label={texts.form.copyUuid} />}
    >
      <Panel>
        {mayChange ? (
          <LocationForm key={uuid} existing={sourceOf(location)} />
        ) : (
          <ReadOnly location={location.data} />
        )}
      </Panel>
    </Page>
  );
}

function ReadOnly({ location }: { location: Location }) {
  return (
    <Facts
      items={locationFields
        .filter(({ name }) => name !== "name")
        .map(({ name, label }): Fact => [label, showValue((location as Record<string, unknown>)[name])])}
    />
  );
}
