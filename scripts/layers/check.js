// node scripts/layers/check.js: whether every import goes the way that layers.js allows.
import { importsOf, sourceFiles } from "./imports.js";
import { unusedArrows, violations, wrongOrder } from "./violations.js";

const imports = sourceFiles().flatMap((file) => importsOf(file));
const problems = [
  ...violations(imports),
  ...wrongOrder().map((arrow) => `layers.js: ${arrow} leads up, or to nothing`),
  ...unusedArrows(imports).map((arrow) => `layers.js: nothing needs ${arrow} any more`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${imports.length} imports go the way that scripts/layers/layers.js allows`);
