// The first heading of the changelog determines the version.

const heading = /^## \[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d\d-\d\d)$/;

/** The first version of the changelog. Its date is undefined while it is unreleased. */
export function newestRelease(/** @type {string} */ changelog) {
  const first =
    changelog.split("\n").find((/** @type {string} */ line) => line.startsWith("## ")) ?? "(none)";
  const [, version, day] = heading.exec(first) ?? [];
  if (version === undefined)
    throw new Error(
      `The first heading of CHANGELOG.md must look like "## [1.2.0] - 2026-01-31" or "## [1.2.0] - unreleased", ` +
        `and is: ${first}`,
    );
  return { version, day: day === "unreleased" ? undefined : day };
}
