import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Location } from "@gatehouse-parking/contract";
import type { CreateLocationRequest, EditedLocation } from "@gatehouse-parking/contract/console";
import { useLocation } from "wouter";
import { useChange } from "../api/queries.js";
import { SaveFailure } from "../editing/save-failure.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import styles from "./location-form.module.css";
import { TimeZonePicker } from "./time-zone-picker.js";

type Fields = Required<CreateLocationRequest>;

/** A new location starts empty, and nobody else can have saved it. */
const nothingSaved: SharedSource<EditedLocation> = {
  saved: {
    uuid: "",
    version: "",
    name: "",
    address: "",
    city: "",
    state: "",
    zipcode: "",
    timeZone: "",
    tpReferenceId: "",
    isActive: true,
  },
  reload: async () => undefined,
  isReloading: false,
};

const required = (value: string) => (value.trim() === "" ? "Required" : null);

const validate = {
  name: required,
  address: required,
  city: required,
  state: required,
  zipcode: required,
  timeZone: required,
};

/** A new location, or the changes of an existing one. */
export function LocationForm({ existing }: { existing?: SharedSource<EditedLocation> }) {
  const [, navigate] = useLocation();
  const refresh = ["listLocations", "getLocation"] as const;
  const create = useChange("createLocation", { refresh: [...refresh] });
  const change = useChange("changeLocation", { refresh: [...refresh] });
  const saving = existing ? change : create;
  const shared = useSharedForm(existing ?? nothingSaved, toFields, validate);
  const { form } = shared;
  const location = existing && shared.opened;

  const onSuccess = (saved: Location) => {
    notifications.show({ message: `${saved.name} has been saved.` });
    navigate("/locations");
  };

  function save(fields: Fields) {
    if (location) {
      const body = { ...fields, version: location.version };
      change.mutate({ parameters: { locationUuid: location.uuid }, body }, { onSuccess });
    } else create.mutate({ body: fields }, { onSuccess });
  }

  const zoneChanged = location !== undefined && form.values.timeZone !== location.timeZone;
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap="md" maw={720}>
        <SaveFailure saving={saving} shared={shared} />
        <TextInput label="Name" required maxLength={200} {...form.getInputProps("name")} />
        <TextInput label="Address" required maxLength={300} {...form.getInputProps("address")} />
        <div className={styles.three}>
          <TextInput label="City" required maxLength={100} {...form.getInputProps("city")} />
          <TextInput label="State or province" required maxLength={100} {...form.getInputProps("state")} />
          <TextInput label="Zip code" required maxLength={20} {...form.getInputProps("zipcode")} />
        </div>
        <TimeZonePicker {...form.getInputProps("timeZone")} />
        {zoneChanged ? (
          <Alert color="yellow" p="sm">
            Transactions that are already stored keep {location.timeZone}. Only new ones will use{" "}
            {form.values.timeZone}.
          </Alert>
        ) : null}
        <TextInput
          label="Third-party reference"
          description="Your own ID for this location, returned as tpReferenceId."
          maxLength={128}
          {...form.getInputProps("tpReferenceId")}
        />
        <Switch
          label="Active"
          description="Inactive locations stay in the list and still accept records."
          {...form.getInputProps("isActive", { type: "checkbox" })}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {location ? "Save changes" : "Add location"}
          </Button>
          <Button variant="default" onClick={() => navigate("/locations")}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function toFields({ uuid: _uuid, version: _version, ...fields }: EditedLocation): Fields {
  return fields;
}
