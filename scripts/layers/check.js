// node scripts/layers/check.js: checks every import against layers.js.
import { importsOf, sourceFiles } from "./imports.js";
import { violations } from "./violations.js";

const imports = sourceFiles().flatMap((file) => importsOf(file));
const problems = violations(imports);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`scripts/layers/layers.js allows all ${imports.length} imports`);
