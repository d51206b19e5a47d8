import type { Feature } from "./core/feature.js";
import { addEnvironment } from "./core/config/variables.js";
import { addSettings } from "./core/organizations/settings.js";
import { undo } from "./features/undo/feature.js";
import { uploads } from "./features/uploads/feature.js";
import { rejectedFieldValues } from "./features/rejected-values/feature.js";
import { resendDifferences } from "./features/resend-differences/feature.js";
import { requestLog } from "./features/request-log/feature.js";
import { retention } from "./features/retention/feature.js";
import { wholeExports } from "./features/exports/feature.js";
import { receipts } from "./features/receipts/feature.js";
import { backups } from "./features/backups/feature.js";
import { demo } from "./features/demo/feature.js";
import { sandbox } from "./features/sandbox/feature.js";
import { search } from "./features/search/feature.js";
import { overview } from "./features/overview/feature.js";
import { people } from "./features/people/feature.js";
import { twoFactor } from "./features/two-factor/feature.js";
import { openId } from "./features/openid/feature.js";
import { tracing } from "./features/tracing/feature.js";
import { savedViews } from "./features/saved-views/feature.js";
import { installation } from "./features/installation/feature.js";
import { cluster } from "./features/cluster/feature.js";

/** Everything beyond the specification. The service has only the features in this list. */
export const features: readonly Feature[] = [
  undo,
  uploads,
  requestLog,
  rejectedFieldValues,
  resendDifferences,
  overview,
  retention,
  wholeExports,
  receipts,
  backups,
  demo,
  sandbox,
  search,
  people,
  savedViews,
  twoFactor,
  openId,
  installation,
  cluster,
  tracing,
];

for (const { environment, organizationSettings } of features) {
  if (environment) addEnvironment(environment);
  if (organizationSettings) addSettings(organizationSettings);
}
