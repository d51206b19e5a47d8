import type { ConsoleFeature } from "./core/features.js";
import { exports } from "./features/exports/feature.js";
import { installation } from "./features/installation/feature.js";
import { overview } from "./features/overview/feature.js";
import { people } from "./features/people/feature.js";
import { requestLog } from "./features/request-log/feature.js";
import { retention } from "./features/retention/feature.js";
import { sandbox } from "./features/sandbox/feature.js";
import { savedViews } from "./features/saved-views/feature.js";
import { search } from "./features/search/feature.js";
import { undo } from "./features/undo/feature.js";
import { uploads } from "./features/uploads/feature.js";

/** Features with pages or panels. What several add to one place appears in this order. */
export const features: readonly ConsoleFeature[] = [
  undo,
  uploads,
  retention,
  exports,
  sandbox,
  search,
  overview,
  requestLog,
  people,
  savedViews,
  installation,
];
