import {
  ActionIcon,
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from "@mantine/core";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import { headerShape, type RepeatedTimes } from "@gatehouse-parking/record-files";
import { type ReactNode, useState } from "react";
import { notifications } from "@mantine/notifications";
import type { KeptMapping } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { request, saveFile } from "../../../core/api/client.js";
import { useApi, useChange } from "../../../core/api/queries.js";
import { useOrganization } from "../../../core/session/session.js";
import { IconPlus, IconTrash } from "../../../core/ui/icons.js";
import { Panel } from "../../../core/ui/page.js";
import { Failure } from "../../../core/ui/states.js";
import type { FileContent } from "../file/inspect-file.js";
import styles from "../uploads.module.css";
import { ColumnRow } from "./column-row.js";
import {
  companionsOf,
  fieldChoices,
  type MappingChoices,
  type MappingContent,
  targetsOf,
  withColumn,
} from "./mapping-choices.js";
import { RowFilters } from "./row-filters.js";
import { Notes } from "./target-options.js";
import { fieldOf, topicOf } from "./value-formats.js";
import { texts } from "./texts.js";

export interface MappingProps {
  content: FileContent;
  resource: ImportResourceName;
  choices: MappingChoices;
  locations: readonly Location[];
  onChange: (choices: MappingChoices) => void;
}

/** Maps columns to fields. Nested fields have dotted paths, such as vehicle.licensePlate. */
export function MappingPanel({
  questions,
  isLocked,
  offered,
  keep,
  ...props
}: MappingProps & {
  /** The list of open questions. */
  questions: ReactNode;
  /** Locked while records are sent, so that the shown mapping is the one in use. */
  isLocked: boolean;
  /** Saved mappings that fit the file. */
  offered: ReactNode;
  /** Saves the mapping. */
  keep: ReactNode;
}) {
  const { content, choices, onChange } = props;
  const companions = companionsOf(choices);
  return (
    <Panel title={texts.mapping.title} description={texts.mapping.description(content.profile.rowCount)}>
      <Stack gap="md">
        {offered}
        <Fieldset variant="unstyled" aria-label={texts.mapping.label} m={0} miw={0} disabled={isLocked}>
          <Stack gap="md">
            {questions}
            <div className={styles.columns}>
              {content.samples.map((sample) => (
                <ColumnRow
                  key={sample.name}
                  {...props}
                  sample={sample}
                  companionOf={companions.get(sample.name)}
                  onTargets={(targets) => onChange(withColumn(choices, sample.name, targets))}
                />
              ))}
            </div>
            <RowFilters {...props} />
            <FixedValues {...props} />
            <FileRules {...props} />
            <RulesForAll {...props} />
          </Stack>
        </Fieldset>
        {keep}
      </Stack>
    </Panel>
  );
}

const shownZones = 60;

/** Rules for all columns. */
function FileRules({ resource, choices, locations, onChange }: MappingProps) {
  const zones = useApi("listTimeZones");
  const hasTimes = targetsOf(choices).some(({ choice }) => topicOf(resource, choice.to) === "time");
  const near = [...new Set(locations.map(({ timeZone }) => timeZone))].filter((zone) => zone !== "UTC");
  const far = (zones.data?.data ?? []).filter((zone) => zone !== "UTC" && !near.includes(zone));
  return (
    <div className={styles.rules}>
      <TagsInput
        label={texts.mapping.emptyWords}
        placeholder={choices.empty.length === 0 ? texts.mapping.emptyWordExample : undefined}
        size="xs"
        value={choices.empty}
        onChange={(empty) => onChange({ ...choices, empty })}
      />
      {hasTimes ? (
        <Select
          label={texts.mapping.timeZone}
          placeholder={texts.mapping.timeZoneHint}
          size="xs"
          searchable
          allowDeselect={false}
          limit={shownZones}
          data={[
            ...(resource === "transactions"
              ? [{ value: "location", label: texts.mapping.locationTime }]
              : []),
            { value: "UTC", label: "UTC" },
            ...[...near, ...far].map((zone) => ({
              value: zone,
              label: texts.mapping.zoneTime(zone),
            })),
          ]}
          value={choices.timeZone}
          onChange={(timeZone) => onChange({ ...choices, timeZone })}
        />
      ) : null}
      {hasTimes && choices.timeZone !== null && choices.timeZone !== "UTC" ? (
        <Select
          label={texts.mapping.ambiguousTimes}
          size="xs"
          allowDeselect={false}
          data={[
            { value: "earlier", label: texts.mapping.firstTime },
            { value: "later", label: texts.mapping.secondTime },
            { value: "refuse", label: texts.mapping.rejectRow },
          ]}
          value={choices.repeatedTimes}
          onChange={(value) => onChange({ ...choices, repeatedTimes: value as RepeatedTimes })}
        />
      ) : null}
      <Checkbox
        label={texts.mapping.trim}
        size="xs"
        checked={choices.trim}
        onChange={(event) => onChange({ ...choices, trim: event.currentTarget.checked })}
      />
    </div>
  );
}

const forAll = ["time", "number", "true", "false"] as const;

/** Settings that only mapping files can have. They are shown and can be removed. */
function RulesForAll({ choices, onChange }: MappingProps) {
  const given = forAll.filter((name) => choices.others[name] !== undefined);
  return (
    <Notes
      title={texts.forAll.title}
      notes={given.map((name) => {
        const { [name]: value, ...others } = choices.others;
        return [texts.forAll[name]([value].flat().join(", ")), { ...choices, others }] as const;
      })}
      onRemove={onChange}
    />
  );
}

const shownLocations = 100;

function FixedValues({ resource, choices, locations, onChange }: MappingProps) {
  const set = (constants: MappingChoices["constants"]) => onChange({ ...choices, constants });
  const change = (index: number, part: Partial<MappingChoices["constants"][number]>) =>
    set(choices.constants.map((constant, at) => (at === index ? { ...constant, ...part } : constant)));
  return (
    <Stack gap="xs">
      {choices.constants.map(({ path, value: given }, index) => {
        const value = typeof given === "string" ? given : JSON.stringify(given);
        const offered = meaningsOf(path);
        return (
          // The rows have no ID.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <Select
              className={styles.fixedPath}
              label={index === 0 ? texts.mapping.fixedValues : undefined}
              aria-label={texts.mapping.field}
              placeholder={texts.mapping.field}
              data={fieldChoices(resource)}
              value={path || null}
              onChange={(chosen) => change(index, { path: chosen ?? "", value: "" })}
              searchable
              size="xs"
            />
            {offered ? (
              <Select
                className={styles.fixedValue}
                aria-label={texts.mapping.value}
                placeholder={texts.mapping.value}
                data={offered}
                limit={shownLocations}
                value={value || null}
                onChange={(chosen) => change(index, { value: chosen ?? "" })}
                searchable
                size="xs"
              />
            ) : (
              <TextInput
                className={styles.fixedValue}
                aria-label={texts.mapping.value}
                placeholder={texts.mapping.value}
                value={value}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
                size="xs"
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.mapping.removeFixedValue}
              onClick={() => set(choices.constants.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...choices.constants, { path: "", value: "" }])}
        >
          {texts.mapping.addFixedValue}
        </Button>
      </div>
    </Stack>
  );

  /** The names of an enumeration, or the organization's locations. */
  function meaningsOf(path: string): { value: string; label: string }[] | undefined {
    if (path.endsWith("locationUuid"))
      return locations.map(({ uuid, name }) => ({ value: uuid, label: name }));
    const names = fieldOf(resource, path)?.names;
    return names && Object.keys(names).map((name) => ({ value: name, label: name }));
  }
}

interface Props {
  resource: ImportResourceName;
  columns: readonly string[];
  mapping: MappingContent;
  isLocked: boolean;
  onUse: (mapping: MappingContent) => void;
}

/** Saved mappings of files with the same columns. */
export function MatchingMappings({ resource, columns, isLocked, onUse }: Props) {
  const { uuid: organizationUuid } = useOrganization();
  const client = useQueryClient();
  const offered = useApi("listMappings", { query: { resource, shape: headerShape(columns) } });
  const [error, setError] = useState<unknown>(null);
  if (!offered.data || offered.data.data.length === 0) return null;

  async function use({ uuid, name }: KeptMapping) {
    setError(null);
    try {
      const parameters = { organizationUuid, mappingUuid: uuid };
      const { mapping } = await client.fetchQuery({
        queryKey: ["getMapping", parameters],
        queryFn: () => request("getMapping", { parameters }),
      });
      onUse(mapping);
      notifications.show({ message: texts.mappings.used(name) });
    } catch (problem) {
      setError(problem);
    }
  }

  return (
    <Alert color="harbour" p="sm" title={texts.mappings.matching}>
      <Group gap="xs">
        {offered.data.data.map((kept) => (
          <Button
            key={kept.uuid}
            size="xs"
            variant="default"
            disabled={isLocked}
            onClick={() => void use(kept)}
          >
            {texts.mappings.use(kept.name)}
          </Button>
        ))}
      </Group>
      {error ? <Failure error={error} /> : null}
    </Alert>
  );
}

/** Saves the mapping under a name, or as a file for gatehouse-push. */
export function SaveMapping({ resource, columns, mapping }: Omit<Props, "onUse" | "isLocked">) {
  const [name, setName] = useState("");
  const { uuid: organizationUuid } = useOrganization();
  const shape = headerShape(columns);
  const offered = useApi("listMappings", { query: { resource, shape } });
  const refresh = ["listMappings", "getMapping"] as ("listMappings" | "getMapping")[];
  const create = useChange("createMapping", { refresh });
  const change = useChange("changeMapping", { refresh });
  const wanted = name.trim();
  const same = offered.data?.data.find((kept) => kept.name.toLowerCase() === wanted.toLowerCase());
  const showSaved = () => {
    setName("");
    notifications.show({
      message: texts.mappings.saved(wanted),
    });
  };

  async function save() {
    if (!same)
      return create.mutate(
        { body: { name: wanted, resource, columns: [...columns], mapping } },
        { onSuccess: showSaved },
      );
    const parameters = { organizationUuid, mappingUuid: same.uuid };
    const { version } = await request("getMapping", { parameters });
    return change.mutate(
      { parameters, body: { mapping, columns: [...columns], version } },
      { onSuccess: showSaved },
    );
  }

  return (
    <div>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={texts.mappings.saveAs}
          placeholder={texts.mappings.saveAsExample}
          size="xs"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          size="xs"
          variant="default"
          disabled={wanted === ""}
          loading={create.isPending || change.isPending}
          onClick={() => void save()}
        >
          {same ? texts.mappings.replace : texts.mappings.save}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          onClick={() =>
            saveFile("mapping.json", "application/json", `${JSON.stringify(mapping, null, 2)}\n`)
          }
        >
          {texts.mappings.saveFile}
        </Button>
      </Group>
      {(create.error ?? change.error) ? <Failure error={create.error ?? change.error} /> : null}
    </div>
  );
}
