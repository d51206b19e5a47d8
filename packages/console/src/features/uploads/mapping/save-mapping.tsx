import { Alert, Button, Group, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { KeptMapping } from "@gatehouse-parking/contract/console";
import { headerShape } from "@gatehouse-parking/record-files";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request, saveFile } from "../../../core/api/client.js";
import { useApi, useChange } from "../../../core/api/queries.js";
import { useOrganization } from "../../../core/session/session.js";
import { Failure } from "../../../core/ui/states.js";
import type { MappingContent } from "./mapping-choices.js";

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
      notifications.show({ message: `“${name}” is used for this file.` });
    } catch (problem) {
      setError(problem);
    }
  }

  return (
    <Alert color="harbour" p="sm" title="Files with these columns were mapped before">
      <Group gap="xs">
        {offered.data.data.map((kept) => (
          <Button
            key={kept.uuid}
            size="xs"
            variant="default"
            disabled={isLocked}
            onClick={() => void use(kept)}
          >
            Use “{kept.name}”
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
  const said = () => {
    setName("");
    notifications.show({
      message: `“${wanted}” is kept, and will be offered for files with the same columns.`,
    });
  };

  async function keep() {
    if (!same)
      return create.mutate(
        { body: { name: wanted, resource, columns: [...columns], mapping } },
        { onSuccess: said },
      );
    const parameters = { organizationUuid, mappingUuid: same.uuid };
    const { version } = await request("getMapping", { parameters });
    return change.mutate(
      { parameters, body: { mapping, columns: [...columns], version } },
      { onSuccess: said },
    );
  }

  return (
    <div>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Keep this mapping as"
          placeholder="Such as: month-end export"
          size="xs"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          size="xs"
          variant="default"
          disabled={wanted === ""}
          loading={create.isPending || change.isPending}
          onClick={() => void keep()}
        >
          {same ? "Replace the kept mapping" : "Keep"}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          onClick={() =>
            saveFile("mapping.json", "application/json", `${JSON.stringify(mapping, null, 2)}\n`)
          }
        >
          Save as a file for gatehouse-push
        </Button>
      </Group>
      {(create.error ?? change.error) ? <Failure error={create.error ?? change.error} /> : null}
    </div>
  );
}
