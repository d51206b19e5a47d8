import { Select, TagsInput } from "@mantine/core";
import { locationHints, nameOrders } from "@gatehouse-parking/record-files";
import type { ColumnChoice } from "./choices.js";
import type { ColumnProps } from "./column-row.js";
import { fieldOf, topicOf, unknownLocations, unknownWords, valuesOf } from "./spellings.js";
import { TimeSpelling } from "./time-spelling.js";
import { ValueMap } from "./value-map.js";
import { WayToRead } from "./way-to-read.js";
import styles from "../uploads.module.css";

export interface ConversionProps extends ColumnProps {
  choice: ColumnChoice;
}

const hintNames: Readonly<Record<string, string>> = {
  uuid: "its uuid",
  tpReferenceId: "its third-party reference",
  name: "its name",
  any: "uuid, third-party reference or name",
};
const orderNames: Readonly<Record<string, string>> = {
  "first last": "First name, then last name (Jo Doe)",
  "last first": "Last name, then first name (Doe Jo)",
  "last, first": "With a comma (Doe, Jo)",
};

/** How the values of a column are written, as far as that matters for its field. */
export function Conversion(props: ConversionProps) {
  const { resource, choice } = props;
  const topic = topicOf(resource, choice.to);
  if (topic === "none") return null;
  return (
    <div className={styles.conversion}>
      {topic === "time" ? <TimeSpelling {...props} /> : null}
      {topic === "number" ? <WayToRead {...props} topic="number" values={usedValues(props)} /> : null}
      {topic === "values" ? <Words {...props} /> : null}
      {topic === "flag" ? <Flags {...props} /> : null}
      {topic === "location" ? <Locations {...props} /> : null}
      {topic === "name" ? <Names {...props} /> : null}
    </div>
  );
}

function usedValues({ content, sample, choices }: ConversionProps): string[] {
  return valuesOf(content.samples, sample.name, choices);
}

/** What the words of an enumeration mean. Its own names are understood anyway. */
function Words(props: ConversionProps) {
  const { resource, choice } = props;
  const names = fieldOf(resource, choice.to)?.names ?? {};
  return (
    <ValueMap
      {...props}
      unknown={unknownWords(usedValues(props), names)}
      meanings={Object.keys(names).map((name) => ({ value: name, label: name }))}
    />
  );
}

function Flags({ sample, choice, onChoice }: ConversionProps) {
  const words = (which: "true" | "false", label: string) => (
    <TagsInput
      label={label}
      description={which === "true" ? "Besides yes, y, true and 1" : "Besides no, n, false and 0"}
      size="xs"
      value={choice[which] ?? []}
      onChange={(list) => onChoice({ ...choice, [which]: list.length > 0 ? list : undefined })}
      aria-label={`${label} in ${sample.name}`}
    />
  );
  return (
    <>
      {words("true", "Words for yes")}
      {words("false", "Words for no")}
    </>
  );
}

function Locations(props: ConversionProps) {
  const { sample, choice, locations, onChoice } = props;
  const unknown = unknownLocations(usedValues(props), choice.location, locations);
  return (
    <>
      <Select
        label="The location is told by"
        aria-label={`What ${sample.name} tells of the location`}
        size="xs"
        allowDeselect={false}
        data={locationHints.map((value) => ({ value, label: hintNames[value] ?? value }))}
        value={choice.location ?? "uuid"}
        onChange={(location) =>
          onChoice({ ...choice, location: location === "uuid" ? undefined : (location ?? undefined) })
        }
      />
      <ValueMap
        {...props}
        unknown={unknown}
        meanings={locations.map(({ uuid, name }) => ({ value: uuid, label: name }))}
      />
    </>
  );
}

function Names({ sample, choice, onChoice }: ConversionProps) {
  return (
    <Select
      label="Full names are written"
      aria-label={`How names in ${sample.name} are written`}
      size="xs"
      allowDeselect={false}
      data={nameOrders.map((value) => ({ value, label: orderNames[value] ?? value }))}
      value={choice.name ?? null}
      onChange={(name) => onChoice({ ...choice, name: name ?? undefined })}
    />
  );
}
