import { Button } from "@mantine/core";
import { lazy } from "react";
import { Link } from "wouter";
import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { IconUpload } from "../../core/ui/icons.js";

function UploadFileButton({ variant }: { variant?: "default" }) {
  return (
    <Button component={Link} href="/uploads/new" variant={variant}>
      Upload a file
    </Button>
  );
}

export const uploads: ConsoleFeature = {
  name: "uploads",
  routes: [
    { path: "/uploads", page: lazyPage(() => import("./uploads-page.js")) },
    { path: "/uploads/new", page: lazyPage(() => import("./new-upload-page.js")), onlyAdmins: true },
    { path: "/uploads/:uploadUuid", page: lazyPage(() => import("./upload-page.js")) },
  ],
  navigation: [{ to: "/uploads", label: "Uploads", icon: IconUpload, group: "manage", order: 20 }],
  commands: [{ label: "Upload a file", to: "/uploads/new", onlyAdmins: true }],
  auditSubjects: { upload: "Uploads", mapping: "Mappings" },
  slots: {
    firstImport: UploadFileButton,
    importNotices: lazy(async () => ({ default: (await import("./file-of-import.js")).FileOfImport })),
  },
};
