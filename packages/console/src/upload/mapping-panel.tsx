import { ActionIcon, Alert, Button, Fieldset, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "../ui/icons.js";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import type { Prepared } from "@gatehouse-parking/record-files";
import { indentJson } from "../ui/json-text.js";
import { Code } from "../ui/code.js";
import { Panel } from "../ui/panel.js";
import { pathsOf, repeatedPaths, type Choices } from "./mapping.js";
import type { ReadFile } from "./read-file.js";
import styles from "./upload.module.css";

interface Props {
  file: ReadFile;
  resource: ImportResourceName;
  choices: Choices;
  locations: readonly Location[];
  /** The fields that nothing goes to though records need them. */
  missing: readonly string[];
  first: Prepared | undefined;
  /** While records are sent, they must be of the mapping that is shown. */
  isLocked: boolean;
  onChange: (choices: Choices) => void;
}

/** Which column is which field. Nested fields have dotted paths, such as vehicle.licensePlate. */
export function MappingPanel(props: Props) {
  const { file, resource, choices, missing, first, isLocked } = props;
  const repeated = repeatedPaths(choices);
  return (
    <Panel
      title={file.kind === "csv" ? "2. Map the columns" : "2. Fields"}
      description={
        file.kind === "csv"
          ? "Columns with familiar names have already been mapped."
          : "Each line is already a record; its fields are sent as they are."
      }
    >
      <Stack gap="md">
        <Fieldset variant="unstyled" aria-label="Mapping" m={0} miw={0} disabled={isLocked}>
          <Stack gap="md">
            {file.kind === "csv" ? <ColumnRows {...props} /> : null}
            <FixedValues {...props} />
            {resource === "accounts" ? null : <ZoneChoice {...props} />}
          </Stack>
        </Fieldset>
        {missing.length > 0 ? (
          <Alert color="yellow" p="sm">
            Records need {missing.join(", ")}. Map a column to {missing.length === 1 ? "it" : "them"} or add a
            fixed value.
          </Alert>
        ) : null}
        {repeated.length > 0 ? (
          <Alert color="yellow" p="sm">
            Several columns are mapped to {repeated.join(", ")}; leave out all but one of them.
          </Alert>
        ) : null}
        {first ? (
          <details>
            <summary className={styles.summary}>The first record as it will be sent</summary>
            <Code
              text={first.text === undefined ? (first.refusal?.detail ?? "") : indentJson(first.text)}
              label="First record"
              maxHeight={300}
            />
          </details>
        ) : null}
      </Stack>
    </Panel>
  );
}

const samples = 3;
const shownLocations = 100;

function ColumnRows({ file, resource, choices, onChange }: Props) {
  const paths = pathsOf(resource);
  return (
    <div className={styles.columns}>
      {file.columns.map((column, position) => (
        <div key={column} className={styles.column}>
          <div className={styles.source}>
            <span className={styles.name}>{column}</span>
            <span className={styles.samples}>
              {file.rows
                .slice(0, samples)
                .map((row) => row.cells[position])
                .filter(Boolean)
                .join(", ") || "empty"}
            </span>
          </div>
          <Select
            className={styles.target}
            aria-label={`Field for ${column}`}
            placeholder="Leave out"
            data={[...paths, `metadata.${column}`]}
            value={choices.columns[column] ?? null}
            onChange={(path) => onChange({ ...choices, columns: { ...choices.columns, [column]: path } })}
            searchable
            clearable
            clearButtonProps={{ "aria-label": `Leave out ${column}` }}
            size="xs"
          />
        </div>
      ))}
    </div>
  );
}

function FixedValues({ resource, choices, locations, onChange }: Props) {
  const set = (constants: Choices["constants"]) => onChange({ ...choices, constants });
  const change = (index: number, part: Partial<Choices["constants"][number]>) =>
    set(choices.constants.map((constant, at) => (at === index ? { ...constant, ...part } : constant)));
  return (
    <Stack gap="xs">
      {choices.constants.map((constant, index) => (
        // The rows have no identity of their own but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
          <Select
            className={styles.fixedPath}
            label={index === 0 ? "The same in every record" : undefined}
            aria-label="Field"
            placeholder="Field"
            data={pathsOf(resource)}
            value={constant.path || null}
            onChange={(path) => change(index, { path: path ?? "" })}
            searchable
            size="xs"
          />
          {constant.path.endsWith("locationUuid") ? (
            <Select
              className={styles.fixedValue}
              aria-label="Location"
              placeholder="Location"
              data={locations.map((location) => ({ value: location.uuid, label: location.name }))}
              limit={shownLocations}
              value={constant.value || null}
              onChange={(value) => change(index, { value: value ?? "" })}
              searchable
              size="xs"
            />
          ) : (
            <TextInput
              className={styles.fixedValue}
              aria-label="Value"
              placeholder="Value"
              value={constant.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
              size="xs"
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Remove this fixed value"
            onClick={() => set(choices.constants.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...choices.constants, { path: "", value: "" }])}
        >
          Add a fixed value
        </Button>
      </div>
    </Stack>
  );
}

function ZoneChoice({ choices, locations, onChange }: Props) {
  const zones = [...new Set(locations.map((location) => location.timeZone))];
  return (
    <div>
      <Select
        label="Times without a time zone"
        maw={420}
        size="xs"
        allowDeselect={false}
        data={[
          { value: "as-is", label: "Send as they are (the service will reject them)" },
          { value: "location", label: "Local time at the record's location" },
          { value: "UTC", label: "UTC" },
          ...zones
            .filter((zone) => zone !== "UTC")
            .map((zone) => ({ value: zone, label: `Local time in ${zone}` })),
        ]}
        value={choices.zone}
        onChange={(zone) => onChange({ ...choices, zone: zone ?? "as-is" })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        Local times are converted to UTC before they are sent.
      </Text>
    </div>
  );
}
