import { TextInput, type TextInputProps } from "@mantine/core";

/** Appears after the password, or the link, was right; so the keyboard goes there. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label="Code"
      description="From your authenticator app, or one of your recovery codes"
      autoComplete="one-time-code"
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      {...props}
    />
  );
}
