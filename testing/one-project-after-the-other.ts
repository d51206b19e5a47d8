import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest comes first, so that the last files are short ones and no worker is left alone with a long one. */
const projects = ["acceptance", "browser", "packages", "scripts"];

/**
 * The files of a project follow one another, because a worker is kept for the next file only if that belongs to the
 * same project; within one they come in the usual order, by their size or by what they took the last time.
 */
export default class OneProjectAfterTheOther extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    // oxlint-disable-next-line unicorn/no-array-sort -- It is the method of the base class.
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
