import { Anchor } from "@mantine/core";
import { saveFile } from "../api/client.js";
import { useSession } from "./session.js";
import { texts } from "./texts.js";

/** The origin for links: the public one, or the one of this page. */
export function useServiceOrigin(): string {
  return useSession().publicUrl ?? window.location.origin;
}

/** How commands on a page reach the public API. */
export interface ApiAddress {
  /** HTTPS, even if the console was opened over plain HTTP. */
  origin: string;
  /** The plain HTTP origin, where the API refuses requests. */
  plainOrigin: string;
  /** The certificate (PEM) of the service's own authority. Null if callers trust its certificate anyway. */
  authority: string | null;
}

export function useApiAddress(): ApiAddress {
  const { publicUrl, ports, authority } = useSession();
  return {
    ...apiAddressOf(new URL(publicUrl ?? window.location.origin), publicUrl !== null, ports),
    authority,
  };
}

export function apiAddressOf(
  opened: URL,
  isPublic: boolean,
  ports: { https: number | null; http: number },
): Omit<ApiAddress, "authority"> {
  const isPlain = opened.protocol === "http:" && !isPublic && ports.https !== null;
  return {
    origin: isPlain ? `https://${opened.hostname}:${ports.https}` : opened.origin,
    plainOrigin: isPublic ? `http://${opened.hostname}` : `http://${opened.hostname}:${ports.http}`,
  };
}

const certificateFile = "gatehouse-ca.pem";

/** The curl command, with the certificate of the service's own authority if it has one. */
export function curl({ authority }: Pick<ApiAddress, "authority">): string {
  return authority === null ? "curl" : `curl --cacert ${certificateFile}`;
}

/** A command for the public API. `body` is curl's option with the JSON to send. */
export function curlCommand(
  api: ApiAddress,
  path: string,
  body?: string,
  key = "$GATEHOUSE_API_KEY",
): string {
  return [
    `${curl(api)} ${api.origin}${path}`,
    `-H "X-API-KEY: ${key}"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, body]),
  ].join(" \\\n  ");
}

/** Undefined if callers need no certificate file. */
export function useCertificateDownload(): { label: string; save: () => void } | undefined {
  const { authority } = useApiAddress();
  if (authority === null) return undefined;
  return {
    label: texts.certificate.download(certificateFile),
    save: () => saveFile(certificateFile, "application/x-pem-file", authority),
  };
}

/** Where to download the certificate that the command above uses. */
export function CertificateNote({ className }: { className?: string | undefined }) {
  const file = useCertificateDownload();
  if (!file) return null;
  return (
    <p className={className}>
      {texts.certificate.before}{" "}
      <Anchor component="button" type="button" size="sm" onClick={file.save}>
        {file.label}
      </Anchor>{" "}
      {texts.certificate.after}
    </p>
  );
}
