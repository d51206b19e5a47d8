import type { FastifyInstance } from "fastify";

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** All current metrics of the app. */
export async function scrape(app: FastifyInstance): Promise<Sample[]> {
  const { body } = await app.inject({ url: "/metrics" });
  return body
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(readSample);
}

/** The value of the only sample with this name and these labels. */
export async function sampleOf(
  app: FastifyInstance,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const samples = (await scrape(app)).filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (samples.length > 1) throw new Error(`${name} has ${samples.length} samples`);
  return samples[0]?.value;
}

function readSample(line: string): Sample {
  const [, name = "", labels = "", value = ""] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === "") throw new Error(`No sample: ${line}`);
  return { name, labels: Object.fromEntries(readLabels(labels)), value: Number(value) };
}

/** Parses `one="1",two="2"`. Label values contain no quotation marks. */
function readLabels(text: string): [string, string][] {
  if (text === "") return [];
  return text
    .slice(0, -1)
    .split('",')
    .map((pair) => pair.split('="') as [string, string]);
}
