import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long files first, so that no worker is still busy with one at the end. */
const projects = ["acceptance", "browser", "slow", "smoke", "packages", "scripts"];

/**
 * Runs the files of one project after those of another, because a worker is kept only for a file of the same project.
 * Within a project the order is vitest's: by the duration of the last run, or by size.
 */
export default class OneProjectAfterTheOther extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    // oxlint-disable-next-line unicorn/no-array-sort -- It is the method of the base class.
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
