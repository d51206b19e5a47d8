import {
  Alert,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TextInput,
  type SelectProps,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Location } from "@gatehouse-parking/contract";
import type { CreateLocationRequest, EditedLocation } from "@gatehouse-parking/contract/console";
import { useLocation } from "wouter";
import { useUnsavedWarning } from "../shell/leave-guard.js";
import { useApi, useChange } from "../api/queries.js";
import { SaveFailure } from "../editing/edit-forms.js";
import { useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { locationFields } from "./location-fields.js";
import styles from "./location-form.module.css";
import { texts } from "./texts.js";

type Fields = Required<CreateLocationRequest>;

const empty = Object.fromEntries(
  locationFields.map(({ name, type }) => [name, type === "boolean" ? false : ""]),
);

/** An empty form. A new location has no concurrent edits. */
const newLocation: SharedSource<EditedLocation> = {
  saved: { ...(empty as object as Fields), uuid: "", version: "", isActive: true },
  reload: async () => undefined,
  isReloading: false,
};

const required = (value: unknown) =>
  typeof value === "string" && value.trim() === "" ? texts.form.required : null;
const validate = Object.fromEntries(
  locationFields.filter(({ isRequired }) => isRequired).map(({ name }) => [name, required]),
);

/** Creates a location, or edits `existing`. */
export function LocationForm({ existing }: { existing?: SharedSource<EditedLocation> }) {
  const [, navigate] = useLocation();
  const refresh = ["listLocations", "getLocation"] as const;
  const create = useChange("createLocation", { refresh: [...refresh] });
  const change = useChange("changeLocation", { refresh: [...refresh] });
  const saving = existing ? change : create;
  const shared = useSharedForm(existing ?? newLocation, toFields, validate);
  const { form } = shared;
  useUnsavedWarning(form.isDirty() && !saving.isPending);
  const location = existing && shared.opened;

  const onSuccess = (saved: Location) => {
    notifications.show({ message: texts.form.saved(saved.name) });
    navigate("/locations");
  };

  function save(fields: Fields) {
    if (location) {
      const body = { ...toBody(fields), version: location.version };
      change.mutate({ parameters: { locationUuid: location.uuid }, body }, { onSuccess });
    } else create.mutate({ body: toBody(fields) }, { onSuccess });
  }

  const input = ({ name, type, label, isRequired, maxLength, ...field }: (typeof locationFields)[number]) => {
    const description = texts.fieldHelp[name] ?? field.description;
    const props = {
      label,
      ...(description !== undefined && { description }),
      ...form.getInputProps(name, { type: type === "boolean" ? "checkbox" : "input" }),
    };
    if (type === "boolean") return <Switch key={name} {...props} />;
    if (type !== "string") return <NumberInput key={name} required={isRequired} {...props} />;
    return (
      <TextInput
        key={name}
        required={isRequired}
        {...(maxLength !== undefined && { maxLength })}
        {...props}
      />
    );
  };
  const zoneChanged = location !== undefined && form.values.timeZone !== location.timeZone;
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap="md" maw={720}>
        <SaveFailure saving={saving} shared={shared} />
        {locationFields.filter(({ name }) => name === "name" || name === "address").map(input)}
        <div className={styles.three}>
          {locationFields.filter(({ name }) => inThree.has(name)).map(input)}
        </div>
        <TimeZonePicker {...form.getInputProps("timeZone")} />
        {zoneChanged ? (
          <Alert color="yellow" p="sm">
            {texts.form.zoneChanged(location.timeZone, form.values.timeZone)}
          </Alert>
        ) : null}
        {others.map(input)}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {location ? texts.form.save : texts.add}
          </Button>
          <Button variant="default" onClick={() => navigate("/locations")}>
            {texts.form.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const inThree = new Set(["city", "state", "zipcode"]);
/** Switches come last. */
const others = locationFields
  .filter(({ name }) => !["name", "address", "timeZone"].includes(name) && !inThree.has(name))
  .toSorted((one, other) => Number(one.type === "boolean") - Number(other.type === "boolean"));

function toFields({ uuid: _uuid, version: _version, ...fields }: EditedLocation): Fields {
  return { ...empty, ...withoutNulls(fields) } as object as Fields;
}

function withoutNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** An empty text is a value, an empty number is none. */
function toBody(fields: Fields): Fields {
  const numbers = locationFields.filter(({ type }) => type !== "string" && type !== "boolean");
  const none = numbers.filter(({ name }) => (fields as Record<string, unknown>)[name] === "");
  return { ...fields, ...Object.fromEntries(none.map(({ name }) => [name, null])) };
}

const shownZones = 60;

/** The server's time zones, searchable by any part of the name, with their current time. */
function TimeZonePicker(props: Omit<SelectProps, "data">) {
  const zones = useApi("listTimeZones");
  return (
    <Select
      label={texts.columns.timeZone}
      description={texts.form.timeZoneHelp}
      placeholder={texts.form.timeZoneHint}
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
      nothingFoundMessage={zones.isPending ? texts.form.loadingZones : texts.form.noZone}
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
