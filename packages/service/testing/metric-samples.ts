import type { FastifyInstance } from "fastify";

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Everything that the app tells Prometheus now. */
export async function scrape(app: FastifyInstance): Promise<Sample[]> {
  const { body } = await app.inject({ url: "/metrics" });
  return body
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(readSample);
}

/** The value of the one sample that has this name. */
export async function sampleOf(app: FastifyInstance, name: string): Promise<number | undefined> {
  const samples = (await scrape(app)).filter((sample) => sample.name === name);
  if (samples.length > 1) throw new Error(`${name} has ${samples.length} samples`);
  return samples[0]?.value;
}

function readSample(line: string): Sample {
  const [, name = "", labels = "", value = ""] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === "") throw new Error(`No sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label, text]) => [label, text])),
    value: Number(value),
  };
}
