import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { maxOrganizationNameLength } from "@gatehouse-parking/contract";
import type { OrganizationSettings } from "@gatehouse-parking/contract/console";
import { useApi } from "../api/queries.js";
import { PanelForm, useSave } from "../editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { sessionKey, useMayChange, useOrganization } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { Facts } from "../ui/facts.js";
import { Panel } from "../ui/page.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { texts } from "./texts.js";

/** The identity of the organization. */
export default function GeneralSettings() {
  const settings = useApi("getOrganization");
  const { uuid, name, createdAt } = useOrganization();
  const mayChange = useMayChange();
  if (settings.isPending) return <RowsLoading rows={3} />;
  if (settings.error) return <Failure error={settings.error} retry={() => void settings.refetch()} />;
  return (
    <>
      {mayChange ? <Rename key={uuid} source={sourceOf(settings)} /> : null}
      <Panel title={texts.general.details}>
        <Facts
          items={[
            !mayChange && [texts.general.name, name],
            [texts.general.uuid, <Identifier key="uuid" value={uuid} />],
            [texts.general.created, <Moment key="created" value={createdAt} />],
          ]}
        />
      </Panel>
    </>
  );
}

function Rename({ source }: { source: SharedSource<OrganizationSettings> }) {
  const client = useQueryClient();
  const shared = useSharedForm(source, ({ name }: OrganizationSettings) => ({ name }), {
    name: (value) => (value.trim() === "" ? texts.general.nameMissing : null),
  });
  const saved = useSave("changeSettings", shared, {
    refresh: ["getOrganization", "listOrganizations", "listAudit"],
    toBody: ({ name }, { version }) => ({ name: name.trim(), version }),
    message: () => texts.general.renamed,
    onSaved(stored) {
      shared.startFrom(stored);
      // The session names the organizations of the user.
      void client.invalidateQueries({ queryKey: sessionKey });
    },
  });
  return (
    <PanelForm
      {...saved}
      title={texts.general.name}
      description={texts.general.nameHelp}
      action={texts.general.rename}
    >
      <TextInput
        label={texts.general.name}
        maxLength={maxOrganizationNameLength}
        required
        {...shared.form.getInputProps("name")}
      />
    </PanelForm>
  );
}
