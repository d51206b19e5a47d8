import { Anchor } from "@mantine/core";
import { useInterface, type Interface } from "../session/origin.js";
import { saveFile } from "./save-file.js";

const authorityFile = "gatehouse-ca.pem";

/** How a command begins: curl has to be told of an authority that only this service uses. */
export function curl({ authority }: Pick<Interface, "authority">): string {
  return authority === null ? "curl" : `curl --cacert ${authorityFile}`;
}

/** Undefined: callers need no file. */
export function useSaveAuthority(): { label: string; save: () => void } | undefined {
  const { authority } = useInterface();
  if (authority === null) return undefined;
  return {
    label: `Download ${authorityFile}`,
    save: () => saveFile(authorityFile, "application/x-pem-file", authority),
  };
}

/** Below a command that names the file: where to get it. */
export function AuthorityNote({ className }: { className?: string | undefined }) {
  const file = useSaveAuthority();
  if (!file) return null;
  return (
    <p className={className}>
      This service signs its own certificate.{" "}
      <Anchor component="button" type="button" size="sm" onClick={file.save}>
        {file.label}
      </Anchor>{" "}
      and run the command in the folder you saved it to.
    </p>
  );
}
