import { readSecretFile } from "./secret-file.js";
import { isLinkToService, isServiceLink } from "./service-links.js";
import { nearestNames } from "./spelling.js";
import { fileSuffix, knownNames, secretNames, variables } from "./variables.js";

/** What the environment holds for us, and what is wrong with it. */
export interface GivenVariables {
  /** The texts of the variables that are set, whether by themselves or by a file. */
  texts: Map<string, string>;
  problems: string[];
  warnings: string[];
}

const ourPrefix = "GATEHOUSE_";
/** Variables of gatehouse-push, which may well be set in the same shell. */
const clientVariables = new Set(["GATEHOUSE_URL", "GATEHOUSE_API_KEY"]);

/** An empty variable counts as unset, as compose files leave them; which database that means is decided elsewhere. */
export function givenVariables(environment: NodeJS.ProcessEnv): GivenVariables {
  const texts = new Map<string, string>();
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const { name } of Object.values(variables)) {
    const text = environment[name] ?? "";
    if (isLinkToService(name, text)) warnings.push(`${name}=${text} ${isOfKubernetes}`);
    else if (text.trim() !== "") texts.set(name, text);
  }
  for (const name of secretNames()) {
    const file = environment[name + fileSuffix] ?? "";
    if (file.trim() === "") continue;
    try {
      if (texts.has(name)) throw new Error(`and ${name} are both set. Take one of them out`);
      texts.set(name, readSecretFile(file));
    } catch (error) {
      problems.push(`${name}${fileSuffix} ${(error as Error).message}`);
    }
  }
  return { texts, problems: [...problems, ...unknownVariables(environment)], warnings };
}

const isOfKubernetes =
  "is the address of a Kubernetes Service and not a setting, so the default is used. To keep such variables away, set enableServiceLinks: false in the pod, or rename the Service";

/** What begins with our name and is not ours is a misspelling, and what it was meant to change would stay as it is. */
function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = knownNames();
  return Object.entries(environment)
    .filter(
      ([name, text]) =>
        name.startsWith(ourPrefix) &&
        !known.has(name) &&
        !clientVariables.has(name) &&
        !isServiceLink(name, text ?? ""),
    )
    .map(([name]) => {
      const meant = nearestNames(name, known).join(" or ");
      return `${name} is not a variable of Gatehouse${meant === "" ? "" : `. Did you mean ${meant}?`}`;
    });
}
