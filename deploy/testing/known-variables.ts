import { describeConfig } from "../../packages/service/src/config.js";

/** Variables that Node and OpenTelemetry understand and that Gatehouse need not declare. */
const ofOthers = [
  "NODE_ENV",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NO_COLOR",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_SERVICE_NAME",
];

/** The names that an environment of Gatehouse may hold; a secret can also be given as a file. */
export function knownVariables(): Set<string> {
  const rows = describeConfig() as { name: string; fileName?: string | undefined }[];
  return new Set([
    ...rows.flatMap(({ name, fileName }) => (fileName ? [name, fileName] : [name])),
    ...ofOthers,
  ]);
}

export function unknownVariables(environment: Record<string, string>): string[] {
  const known = knownVariables();
  return Object.keys(environment).filter((name) => !known.has(name));
}
