import { ActionIcon, Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "../../ui/icons.js";
import type { Choices } from "./choices.js";
import { fieldChoices } from "./field-choices.js";
import type { MappingProps } from "./mapping-panel.js";
import { fieldOf } from "./spellings.js";
import styles from "../uploads.module.css";

const shownLocations = 100;

/** Values that are the same in every record. */
export function FixedValues({ resource, choices, locations, onChange }: MappingProps) {
  const set = (constants: Choices["constants"]) => onChange({ ...choices, constants });
  const change = (index: number, part: Partial<Choices["constants"][number]>) =>
    set(choices.constants.map((constant, at) => (at === index ? { ...constant, ...part } : constant)));
  return (
    <Stack gap="xs">
      {choices.constants.map(({ path, value }, index) => {
        const offered = meaningsOf(path);
        return (
          // The rows have no identity of their own but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <Select
              className={styles.fixedPath}
              label={index === 0 ? "The same in every record" : undefined}
              aria-label="Field"
              placeholder="Field"
              data={fieldChoices(resource)}
              value={path || null}
              onChange={(chosen) => change(index, { path: chosen ?? "", value: "" })}
              searchable
              size="xs"
            />
            {offered ? (
              <Select
                className={styles.fixedValue}
                aria-label="Value"
                placeholder="Value"
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
                aria-label="Value"
                placeholder="Value"
                value={value}
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
        );
      })}
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

  /** The names of an enumeration, or the organization's locations. */
  function meaningsOf(path: string): { value: string; label: string }[] | undefined {
    if (path.endsWith("locationUuid"))
      return locations.map(({ uuid, name }) => ({ value: uuid, label: name }));
    const names = fieldOf(resource, path)?.names;
    return names && Object.keys(names).map((name) => ({ value: name, label: name }));
  }
}
