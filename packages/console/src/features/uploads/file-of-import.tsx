import { Anchor, Alert } from "@mantine/core";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { texts } from "./texts.js";

/** On the page of an import: links to the upload that it is part of, and to the other imports of the file. */
export function FileOfImport({ run: { file, metadata } }: { run: RunDetail }) {
  if (!file || metadata === null) return null;
  const { upload } = JSON.parse(metadata) as { upload?: string };
  return (
    <Alert color="gray" p="sm">
      {texts.imports.partOf(file.name)}{" "}
      <Anchor component={Link} href={`/imports?file=${file.referenceUuid}`}>
        {texts.imports.allOfFile}
      </Anchor>
      {upload === undefined ? null : (
        <>
          {", "}
          <Anchor component={Link} href={`/uploads/${upload}`}>
            {texts.imports.upload}
          </Anchor>
        </>
      )}
    </Alert>
  );
}
