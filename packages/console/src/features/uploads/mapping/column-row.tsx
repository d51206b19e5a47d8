import { Button, Select, TagsInput } from "@mantine/core";
import { type ColumnSample, locationHints, nameOrders, suggestTarget } from "@gatehouse-parking/record-files";
import { useState } from "react";
import { IconPlus } from "../../../core/ui/icons.js";
import { truncate } from "../preview/preview.js";
import styles from "../uploads.module.css";
import { choicesOfColumn, type ColumnChoice, fieldChoices } from "./mapping-choices.js";
import type { MappingProps } from "./mapping-panel.js";
import { ColumnFacets } from "./column-facets.js";
import { FormatOptions, TimeOptions } from "./format-options.js";
import { TargetOptions } from "./target-options.js";
import { fieldOf, topicOf, unknownEnumValues, unknownLocations, valuesOf } from "./value-formats.js";
import { ValueMap } from "./value-map.js";
import { texts } from "./texts.js";

const shownValues = 3;
const leaveOut = texts.mapping.leaveOut;

interface ColumnProps extends MappingProps {
  sample: ColumnSample;
  /** The column that this one is joined with. */
  companionOf: string | undefined;
  onTargets: (targets: readonly ColumnChoice[]) => void;
}

/** One column: sample values, and the fields that it goes to. */
export function ColumnRow(props: ColumnProps) {
  const { sample, content, choices, companionOf, onTargets } = props;
  const profile = content.profile.columns.find((column) => column.name === sample.name);
  const { name } = sample;
  const targets = choices.columns[name] ?? [];
  const [isAdding, setAdding] = useState(false);
  const isNew = targets.length === 0 || isAdding;
  const isJoined = companionOf !== undefined && targets.length === 0;
  const change = (position: number) => (choice: ColumnChoice | null) => {
    if (position === targets.length) setAdding(false);
    onTargets(choice === null ? targets.toSpliced(position, 1) : targets.toSpliced(position, 1, choice));
  };

  return (
    <fieldset className={styles.column} aria-label={name}>
      <div className={styles.source}>
        <span className={styles.name}>{name}</span>
        <span className={styles.samples}>
          {[...new Set(sample.values)].slice(0, shownValues).map(truncate).join(" · ") ||
            texts.mapping.noValues}
        </span>
        {profile ? <ColumnFacets profile={profile} targets={targets} emptyWords={choices.empty} /> : null}
      </div>
      {[...targets, ...(isNew ? [undefined] : [])].map((choice, position) => (
        <Target
          // The place of a target is all that identifies it.
          // oxlint-disable-next-line react/no-array-index-key
          key={position}
          {...props}
          label={position === 0 ? name : texts.targets.further(name, position + 1)}
          choice={choice}
          note={isJoined ? texts.mapping.combinedWith(companionOf) : undefined}
          onChoice={change(position)}
        />
      ))}
      {targets.length > 0 && !isAdding ? (
        <Button
          className={styles.further}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          aria-label={texts.targets.addFor(name)}
          onClick={() => setAdding(true)}
        >
          {texts.targets.add}
        </Button>
      ) : null}
    </fieldset>
  );
}

interface TargetProps extends ColumnProps {
  /** Names the target: the column, and its number if the column has several. */
  label: string;
  /** Undefined: the column is left out, or the field is yet to be chosen. */
  choice: ColumnChoice | undefined;
  note: string | undefined;
  onChoice: (choice: ColumnChoice | null) => void;
}

/** A field, and the options for its values. */
function Target({ note, ...props }: TargetProps) {
  const { sample, content, resource, choice, choices, locations, label, onChoice } = props;
  const { name } = sample;
  const paths = fieldChoices(resource, name);
  const own = choice && !paths.some(({ items }) => items.includes(choice.to)) ? [choice.to] : [];
  const isMentioned = choices.columns[name] !== undefined || note !== undefined;

  /** Selects a field with the suggested format of its values. */
  function choose(path: string | null) {
    if (path === null || path === leaveOut) return onChoice(null);
    const { profile } = content;
    const [target] = choicesOfColumn(suggestTarget({ resource, locations, path, column: name, profile }));
    return onChoice(target ?? null);
  }

  return (
    <>
      <div className={styles.target}>
        <Select
          aria-label={texts.mapping.fieldFor(label)}
          placeholder={texts.mapping.emptyColumn}
          description={note}
          data={[
            leaveOut,
            ...paths,
            ...(own.length > 0 ? [{ group: texts.mapping.unknownField, items: own }] : []),
          ]}
          value={choice?.to ?? (isMentioned ? leaveOut : null)}
          onChange={choose}
          searchable
          allowDeselect={false}
          size="xs"
        />
      </div>
      {choice ? <Conversion {...props} choice={choice} /> : null}
    </>
  );
}

export interface ConversionProps extends Omit<TargetProps, "note"> {
  choice: ColumnChoice;
}

/** Options for the values of a column. */
function Conversion(props: ConversionProps) {
  const { resource, choice } = props;
  const topic = topicOf(resource, choice.to);
  return (
    <div className={styles.conversion}>
      {topic === "time" ? <TimeOptions {...props} /> : null}
      {topic === "number" ? <FormatOptions {...props} topic="number" values={usedValues(props)} /> : null}
      {topic === "values" ? <EnumOptions {...props} /> : null}
      {topic === "flag" ? <FlagOptions {...props} /> : null}
      {topic === "location" ? <LocationOptions {...props} /> : null}
      {topic === "name" ? <NameOptions {...props} /> : null}
      <TargetOptions {...props} topic={topic} />
    </div>
  );
}

function usedValues({ content, sample, choices }: ConversionProps): string[] {
  return valuesOf(content.samples, sample.name, choices);
}

/** Maps values to an enumeration. Its own names need no mapping. */
function EnumOptions(props: ConversionProps) {
  const { resource, choice } = props;
  const names = fieldOf(resource, choice.to)?.names ?? {};
  return (
    <ValueMap
      {...props}
      unknown={unknownEnumValues(usedValues(props), names)}
      meanings={Object.keys(names).map((name) => ({ value: name, label: name }))}
    />
  );
}

function FlagOptions({ label: of, choice, onChoice }: ConversionProps) {
  const words = (which: "true" | "false", label: string) => (
    <TagsInput
      label={label}
      description={which === "true" ? texts.values.yesHelp : texts.values.noHelp}
      size="xs"
      value={choice[which] ?? []}
      onChange={(list) => onChoice({ ...choice, [which]: list.length > 0 ? list : undefined })}
      aria-label={texts.values.inColumn(label, of)}
    />
  );
  return (
    <>
      {words("true", texts.values.yes)}
      {words("false", texts.values.no)}
    </>
  );
}

function LocationOptions(props: ConversionProps) {
  const { label, choice, locations, onChoice } = props;
  const unknown = unknownLocations(usedValues(props), choice.location, locations);
  return (
    <>
      <Select
        label={texts.values.matchLocation}
        aria-label={texts.values.matchLocationOf(label)}
        size="xs"
        allowDeselect={false}
        data={locationHints.map((value) => ({ value, label: texts.values.locationKeys[value] ?? value }))}
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

function NameOptions({ label, choice, onChoice }: ConversionProps) {
  return (
    <Select
      label={texts.values.nameOrder}
      aria-label={texts.values.nameOrderOf(label)}
      size="xs"
      allowDeselect={false}
      data={nameOrders.map((value) => ({ value, label: texts.values.nameOrders[value] ?? value }))}
      value={choice.name ?? null}
      onChange={(name) => onChoice({ ...choice, name: name ?? undefined })}
    />
  );
}
