import { Checkbox, Stack, TagsInput, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { permissions, type Permission } from "@gatehouse-parking/contract";
import type { ReactNode } from "react";
import { texts } from "./texts.js";

interface KeyForm {
  values: { permissions: string[]; leadOrigins: string[] };
  getInputProps: (field: string) => GetInputPropsReturnType;
}

interface KeyFieldsProps {
  form: KeyForm;
  /** The part in which a new key differs from an existing one. */
  expiry: ReactNode;
  /** In place of the checkboxes. */
  permissionLine?: ReactNode;
}

/** The fields of a new key and of an existing one. */
export function KeyFields({ form, expiry, permissionLine }: KeyFieldsProps) {
  return (
    <>
      <TextInput
        label={texts.columns.name}
        description={texts.form.nameHelp}
        placeholder={texts.form.nameExample}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      {permissionLine ?? (
        <Checkbox.Group label={texts.columns.permissions} {...form.getInputProps("permissions")}>
          <Stack gap={8} mt={6}>
            {permissions.map((permission) => (
              <Checkbox
                key={permission}
                value={permission}
                label={texts.permission(permission)}
                description={permission}
                size="sm"
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {expiry}
      {form.values.permissions.includes("leads:write") ? (
        <TagsInput
          label={texts.columns.leadOrigins}
          description={texts.form.leadOriginsHelp}
          placeholder={form.values.leadOrigins.length === 0 ? texts.form.leadOriginExample : ""}
          acceptValueOnBlur
          {...form.getInputProps("leadOrigins")}
        />
      ) : null}
    </>
  );
}

export const validateKey = {
  name: (value: string) => (value.trim() === "" ? texts.form.nameMissing : null),
  permissions: (value: string[]) => (value.length === 0 ? texts.form.permissionsMissing : null),
};

/** In the order of the API reference. */
export function chosenPermissions(chosen: readonly string[]): Permission[] {
  return permissions.filter((permission) => chosen.includes(permission));
}
