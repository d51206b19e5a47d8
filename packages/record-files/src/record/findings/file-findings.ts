import type { ImportResourceName } from "@gatehouse-parking/contract";
import { shortened } from "../../messages.js";
import type { Finding, FindingFacts } from "../../refusals.js";
import type { Row } from "../../table.js";
import type { Prepared } from "../prepare.js";
import type { RecordTree } from "../record-builder.js";
import { AmountSigns } from "./amount-signs.js";
import { CurrencyColumns } from "./currency-columns.js";
import { LookalikePlates } from "./lookalike-plates.js";
import { isPlaceholderPlate } from "./placeholder-plates.js";
import { PlausibleTimes } from "./plausible-times.js";
import { hiddenCharacters } from "./hidden-characters.js";
import { RepeatedIds, type Repeat } from "./repeated-ids.js";

/** More groups than a person reads. */
const maxGroups = 200;
const maxExamples = 3;

/** A row with its record, before it is written as JSON. */
export interface ConvertedRow {
  row: Row;
  draft: RecordTree;
  prepared: Prepared;
  reference: string;
}

/** Computed from all rows. The other findings are counted row by row. */
const computedCodes: ReadonlySet<Finding["code"]> = new Set([
  "amountsNotPositive",
  "severalCurrencies",
  "lookalikeLetters",
  "idsNotCompared",
  "moreFindings",
]);

/**
 * Counts what is unusual about the rows of a file: what was left out or assumed, and values that are valid but
 * hardly true. Give it to prepareRows, convert the rows, and then read the list. Memory is bounded.
 */
export class FileFindings {
  /** Set it while rows are read again that the earlier findings have counted. They are only compared with later rows. */
  isReplay = false;
  readonly #groups = new Map<string, Finding>();
  readonly #ids = new RepeatedIds();
  readonly #amounts = new AmountSigns();
  readonly #currencies = new CurrencyColumns();
  readonly #plates = new LookalikePlates();
  readonly #times: PlausibleTimes;
  readonly #comparesIds: boolean;
  #isCut = false;

  /**
   * `nowMs` decides which times are in the future. Without `comparesIds`, only the ids that are passed to `addId` are
   * compared. `earlier` is what was listed before reading stopped.
   */
  constructor({ nowMs = Date.now(), comparesIds = true, earlier = [] as readonly Finding[] } = {}) {
    this.#times = new PlausibleTimes(nowMs);
    this.#comparesIds = comparesIds;
    for (const finding of earlier)
      if (!computedCodes.has(finding.code)) this.#groups.set(keyOf(finding), structuredClone(finding));
    this.#isCut = earlier.some(({ code }) => code === "moreFindings");
  }

  /** A row that a filter leaves out. */
  addFiltered({ line, filteredBy }: Prepared): void {
    if (!filteredBy) return;
    const { column, value } = filteredBy;
    this.#count(
      { code: "rowsLeftOut", data: { column: shortened(column), word: shortened(value.trim()) } },
      line,
    );
  }

  addRecord(
    resource: ImportResourceName,
    columns: readonly string[],
    { row, draft, prepared, reference }: ConvertedRow,
  ): void {
    const { line } = row;
    for (const { path, value } of prepared.leftOut)
      this.#count({ code: "fieldLeftOut", data: { path } }, line, value);
    if (prepared.ambiguousTimes > 0) this.#count({ code: "timesTwice", data: {} }, line);
    if (prepared.datesWithoutTime > 0) this.#count({ code: "datesWithoutTime", data: {} }, line);
    for (const { fact, value } of this.#times.judge(resource, draft)) this.#count(fact, line, value);
    for (const { fact, value } of hiddenCharacters(draft)) this.#count(fact, line, value);
    const plate = plateIn(draft);
    if (plate !== undefined) this.#plates.add(plate, line);
    if (plate !== undefined && isPlaceholderPlate(plate))
      this.#count(
        { code: "placeholderPlate", data: { word: shortened(plate.trim().toUpperCase()) } },
        line,
        plate,
      );
    this.#amounts.add(draft, line);
    this.#currencies.add(columns, row);
    if (this.#comparesIds) this.addId(reference, prepared.text ?? "", line);
  }

  /** Returns the earlier row with the id, if there is one. */
  addId(id: string, record: string, line: number): Repeat | undefined {
    const repeat = this.#ids.add(id, record, line);
    if (repeat) {
      const code = repeat.isEqual ? "idRepeated" : "idWithOtherValues";
      this.#count({ code, data: {} }, line, id, repeat.firstLine);
    }
    return repeat;
  }

  /** The findings with most rows first. */
  list(): Finding[] {
    const all = [
      ...this.#groups.values(),
      ...this.#amounts.findings(),
      ...this.#currencies.findings(),
      ...this.#plates.findings(),
    ];
    const cut: Finding[] = this.#isCut ? [{ code: "moreFindings", data: {}, rows: 0, examples: [] }] : [];
    const unchecked: Finding[] = this.#ids.isFull
      ? [{ code: "idsNotCompared", data: { count: this.#ids.count }, rows: 0, examples: [] }]
      : [];
    return [...all.toSorted((one, other) => other.rows - one.rows), ...cut, ...unchecked];
  }

  #count(fact: FindingFacts, line: number, value?: string, otherLine?: number): void {
    if (this.isReplay) return;
    const key = keyOf(fact);
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= maxGroups) {
        this.#isCut = true;
        return;
      }
      group = { ...fact, rows: 0, examples: [] };
      this.#groups.set(key, group);
    }
    group.rows += 1;
    if (group.examples.length < maxExamples)
      group.examples.push({
        line,
        ...(value === undefined ? {} : { value: shortened(value) }),
        ...(otherLine === undefined ? {} : { otherLine }),
      });
  }
}

function keyOf({ code, data }: FindingFacts): string {
  return JSON.stringify([code, data]);
}

function plateIn(draft: RecordTree): string | undefined {
  const vehicle = draft.get("vehicle");
  const plate = vehicle instanceof Map ? vehicle.get("licensePlate") : draft.get("licensePlate");
  return typeof plate === "string" && plate.startsWith('"') ? (JSON.parse(plate) as string) : undefined;
}
