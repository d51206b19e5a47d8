import { Checkbox, Stack, TagsInput, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { permissions, type Permission } from "@gatehouse-parking/contract";

interface KeyForm {
  values: { permissions: string[]; leadOrigins: string[] };
  getInputProps: (field: string) => GetInputPropsReturnType;
}

function permissionLabel(permission: Permission): string {
  switch (permission) {
    case "leads:write":
      return "Submit leads";
    case "locations:read":
      return "List locations";
    case "imports:read":
      return "Read import runs";
    default:
      return `Import ${permission.replace(":write", "")}`;
  }
}

export function NameField({ form }: { form: KeyForm }) {
  return (
    <TextInput
      label="Name"
      description="Where it will be used, so that you can recognize it later."
      placeholder="Booking back end, production"
      required
      maxLength={100}
      data-autofocus
      {...form.getInputProps("name")}
    />
  );
}

export function PermissionsField({ form }: { form: KeyForm }) {
  return (
    <Checkbox.Group label="Permissions" {...form.getInputProps("permissions")}>
      <Stack gap={8} mt={6}>
        {permissions.map((permission) => (
          <Checkbox
            key={permission}
            value={permission}
            label={permissionLabel(permission)}
            description={permission}
            size="sm"
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** Shown only for keys with the permission to submit leads. */
export function OriginsField({ form }: { form: KeyForm }) {
  if (!form.values.permissions.includes("leads:write")) return null;
  return (
    <TagsInput
      label="Allowed lead origins"
      description="Web sites that may submit leads with this key, such as https://www.example.com. Leave empty to use the organization's list."
      placeholder={form.values.leadOrigins.length === 0 ? "https://www.example.com" : ""}
      acceptValueOnBlur
      {...form.getInputProps("leadOrigins")}
    />
  );
}

export const nameGiven = (value: string) => (value.trim() === "" ? "Give the key a name" : null);
export const someChosen = (value: string[]) => (value.length === 0 ? "Choose at least one permission" : null);

/** In the order of the API reference. */
export function chosenPermissions(chosen: readonly string[]): Permission[] {
  return permissions.filter((permission) => chosen.includes(permission));
}
