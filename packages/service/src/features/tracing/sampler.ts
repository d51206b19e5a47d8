import type { TraceParent } from "../../core/telemetry/trace-parent.js";
import type { SamplerName } from "../../core/config/variables/telemetry.js";

/** Whether a trace is recorded: decided once, where it enters the service. */
export type Sampler = (traceId: string, parent: TraceParent | undefined) => boolean;

export function createSampler(name: SamplerName, ratio: number): Sampler {
  const root = rootSamplers[name.replace("parentbased_", "") as keyof typeof rootSamplers](ratio);
  if (!name.startsWith("parentbased_")) return root;
  return (traceId, parent) => parent?.isSampled ?? root(traceId, parent);
}

const rootSamplers = {
  always_on: () => () => true,
  always_off: () => () => false,
  traceidratio: sampleRatio,
};

/** As many of a trace id's random digits as a number holds exactly, 4 bits each. */
const comparedDigits = 13;

/** By the id alone, so that everybody who sees the trace comes to the same decision. */
function sampleRatio(ratio: number): Sampler {
  const bound = ratio * 16 ** comparedDigits;
  return (traceId) => Number.parseInt(traceId.slice(-comparedDigits), 16) < bound;
}
