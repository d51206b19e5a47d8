import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { KnownLocation, LocationIndex } from "../record/locations.js";
import type { Column } from "./columns.js";
import type { FileProfile } from "./profile/profile.js";
import type { QuestionCode, QuestionData } from "./question-texts.js";

/** A field, or an object that also declares formats. */
export type SuggestedTarget = string | { to: string; [member: string]: unknown };
export type SuggestedTargets = SuggestedTarget | SuggestedTarget[] | null;

/** A part of a mapping file. */
export interface MappingPatch {
  columns?: Record<string, SuggestedTargets | Record<string, unknown>>;
  constants?: Record<string, unknown>;
  timeZone?: string;
  trim?: boolean;
  leaveOut?: { column: string; values: string[] }[];
}

/** A question before the samples are converted. */
export interface DraftQuestion<Code extends QuestionCode = QuestionCode> {
  id: string;
  code: Code;
  data: QuestionData[Code];
  /** The number of rows that the answer changes. */
  rows: number;
  /** The columns whose cells are the samples. */
  columns: readonly string[];
  /** Only rows with one of these values in the first column are samples. */
  values?: readonly string[];
  /** Only rows without a value in this column are samples. */
  blank?: string;
  /** The fields that the choices are about; without them, those of the columns. */
  shows?: readonly string[];
  choices: readonly { id: string; patch: MappingPatch }[];
  /** The choice that holds until somebody decides; it makes the question an assumption. */
  assumed?: string;
}

/** A mapping in the making. */
export class Draft {
  readonly resource: ImportResourceName;
  readonly profile: FileProfile;
  readonly columns: readonly Column[];
  readonly locations: readonly KnownLocation[] | undefined;
  readonly index: LocationIndex | undefined;
  /** The targets of each column, in the order of the file. */
  readonly targets = new Map<string, SuggestedTarget[]>();
  readonly questions: DraftQuestion[] = [];
  /** Columns with times without a zone. */
  readonly zoneless = new Set<string>();
  timeZone: string | undefined;

  constructor(
    resource: ImportResourceName,
    profile: FileProfile,
    columns: readonly Column[],
    locations: readonly KnownLocation[] | undefined,
    index: LocationIndex | undefined,
  ) {
    this.resource = resource;
    this.profile = profile;
    this.columns = columns;
    this.locations = locations;
    this.index = index;
  }

  ask<Code extends QuestionCode>(question: DraftQuestion<Code>): void {
    if (this.questions.some(({ id }) => id === question.id)) return;
    this.questions.push(question as unknown as DraftQuestion);
  }

  put(column: string, target: SuggestedTarget): void {
    this.targets.set(column, [...(this.targets.get(column) ?? []), target]);
  }

  /** The paths that have a source. */
  paths(): Set<string> {
    return new Set([...this.targets.values()].flat().map(pathOf));
  }

  /** The columns that lead to a path. */
  columnsOf(path: string): Column[] {
    return this.columns.filter(({ name }) =>
      this.targets.get(name)?.some((target) => pathOf(target) === path),
    );
  }

  /** The targets of a column with one more, for a choice that adds it. A list keeps what other answers have added. */
  targetsWith(column: string, target: SuggestedTarget): SuggestedTarget[] {
    const held = (this.targets.get(column) ?? []).filter(
      (other) => !pathOf(other).startsWith("metadata.") && pathOf(other) !== pathOf(target),
    );
    return [...held, target];
  }
}

export function pathOf(target: SuggestedTarget): string {
  return typeof target === "string" ? target : target.to;
}

/** The metadata member that keeps a column. */
export function metadataOf(name: string): string {
  return `metadata.${name.replaceAll(".", " ")}`;
}
