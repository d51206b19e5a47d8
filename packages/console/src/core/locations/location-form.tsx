import { Alert, Button, Group, Select, Stack, Switch, TextInput, type SelectProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Location } from "@gatehouse-parking/contract";
import type { CreateLocationRequest, EditedLocation } from "@gatehouse-parking/contract/console";
import { useLocation } from "wouter";
import { useApi, useChange } from "../api/queries.js";
import { SaveFailure } from "../editing/edit-forms.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import styles from "./location-form.module.css";

type Fields = Required<CreateLocationRequest>;

/** An empty form. Nobody else can edit a new location. */
const newLocation: SharedSource<EditedLocation> = {
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

/** Creates a location, or edits `existing`. */
export function LocationForm({ existing }: { existing?: SharedSource<EditedLocation> }) {
  const [, navigate] = useLocation();
  const refresh = ["listLocations", "getLocation"] as const;
  const create = useChange("createLocation", { refresh: [...refresh] });
  const change = useChange("changeLocation", { refresh: [...refresh] });
  const saving = existing ? change : create;
  const shared = useSharedForm(existing ?? newLocation, toFields, validate);
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

const shownZones = 60;

/** The server's time zones, searchable by any part of the name, with their current time. */
function TimeZonePicker(props: Omit<SelectProps, "data">) {
  const zones = useApi("listTimeZones");
  return (
    <Select
      label="Time zone"
      description="An IANA time zone. It decides which local day and hour a transaction belongs to."
      placeholder="Type a city or region"
      required
      searchable
      limit={shownZones}
      data={zones.data?.data ?? []}
      filter={({ options, search, limit }) =>
        options
          .filter(
            (option) => "value" in option && normalizeZone(option.value).includes(normalizeZone(search)),
          )
          .slice(0, limit)
      }
      nothingFoundMessage={zones.isPending ? "Loading time zones" : "No matching time zone"}
      renderOption={({ option }) => (
        <>
          {option.value.replaceAll("_", " ")}
          <span style={{ marginLeft: "auto", color: "var(--mantine-color-dimmed)" }}>
            {currentTimeIn(option.value)}
          </span>
        </>
      )}
      {...props}
    />
  );
}

/** Zones are displayed with spaces but named with underscores. Both are found. */
function normalizeZone(text: string): string {
  return text.replaceAll("_", " ").trim().toLowerCase();
}

/** Empty if the browser does not know the zone. */
function currentTimeIn(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "shortOffset",
    }).format(new Date());
  } catch {
    return "";
  }
}
