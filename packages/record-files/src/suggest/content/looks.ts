import { isTrueOrFalse } from "../vocabulary/words.js";
import type { ColumnProfile } from "../profile/column-profile.js";
import type { NumberSpelling } from "./numbers.js";
import { isMostlyDifferent } from "./placeholders.js";
import { isClock, type TimeSpelling } from "./times.js";
import { shareOf, type Weighted } from "./weighted.js";

/** What the values of a column look like, whatever its name says. */
export type Look =
  | "moment"
  | "date"
  | "clock"
  | "epoch"
  | "foreignDate"
  | "number"
  | "money"
  | "flag"
  | "email"
  | "phone"
  | "plate"
  | "uuid"
  | "cardNumber"
  | "personName"
  | "category"
  | "unique"
  | "constant"
  | "text";

/** A look holds for a column if so many of its rows have it. */
const most = 0.8;

interface Content {
  profile: ColumnProfile;
  /** Whether the name of the column has a currency in it. */
  isInCurrency: boolean;
  values: readonly Weighted[];
  times: TimeSpelling | undefined;
  numbers: NumberSpelling | undefined;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const email = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;
const phone = /^\+?[\d\s()./-]{6,22}$/;
const cardNumber = /^[\d*xX•][\d*xX• -]{10,21}\d$/;
const personName = /^\p{L}[\p{L}\p{M}'’.-]*(?:,? \p{L}[\p{L}\p{M}'’.-]*){1,3}$/u;

/** Fewer different names are those of places or products. */
const fewNames = 5;
const isEpoch = (value: string) =>
  /^(?:9[5-9]|1\d{2}|[2-4]\d{2})\d{7}$|^(?:9[5-9]|1\d{2}|[2-4]\d{2})\d{10}$/.test(value);
/** Dates of other calendars, or with years that cannot be. */
const isDateLike = (value: string) => /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T,].*)?$/.test(value);

const isPhone = (value: string) => phone.test(value) && digitsIn(value) >= 6 && digitsIn(value) <= 15;
const isPlate = (value: string) =>
  /^[\p{L}\p{N}][\p{L}\p{N} .·-]{2,13}$/u.test(value) &&
  /\d/.test(value) &&
  /\p{L}/u.test(value) &&
  value.split(/[ .·-]/).length <= 4;
const isCard = (value: string) =>
  cardNumber.test(value) && digitsIn(value) + (value.match(/[*xX•]/g)?.length ?? 0) >= 12;

function digitsIn(value: string): number {
  return value.replaceAll(/\D/g, "").length;
}

/** A column of nothing but 1 or 0 may also be a number. */
function isOneDigit(values: readonly Weighted[]): boolean {
  return values.length === 1 && /^[01]$/.test(values[0]?.value ?? "");
}

interface Detector {
  look: Look;
  test(content: Content): boolean;
}

const held =
  (test: (value: string) => boolean) =>
  ({ values }: Content) =>
    shareOf(values, test) >= most;

/** One row for each look; a column may have several. */
const detectors: readonly Detector[] = [
  { look: "moment", test: ({ times }) => times !== undefined && times.withTime > 0.5 },
  { look: "date", test: ({ times }) => times !== undefined && times.withTime <= 0.5 },
  { look: "clock", test: held(isClock) },
  {
    look: "epoch",
    test: ({ profile, values }) => isMostlyDifferent(profile) && shareOf(values, isEpoch) >= most,
  },
  { look: "foreignDate", test: ({ times, values }) => !times && shareOf(values, isDateLike) >= most },
  { look: "number", test: ({ numbers }) => numbers !== undefined },
  {
    look: "money",
    test: ({ numbers, values, isInCurrency }) =>
      numbers !== undefined &&
      (isInCurrency ||
        numbers.units.length > 0 ||
        shareOf(values, (value) => /\d[.,]\d{2}(?:\D*)$/.test(value)) > 0.5),
  },
  {
    look: "flag",
    test: ({ values }) =>
      values.length > 0 &&
      values.length <= 4 &&
      !isOneDigit(values) &&
      values.every(({ value }) => isTrueOrFalse(value)),
  },
  { look: "email", test: held((value) => email.test(value)) },
  { look: "uuid", test: held((value) => uuid.test(value)) },
  { look: "cardNumber", test: held(isCard) },
  {
    look: "phone",
    test: ({ values, times, numbers }) =>
      !times &&
      shareOf(values, isPhone) >= most &&
      (!numbers || shareOf(values, (value) => /^(?:\+|0)/.test(value)) > 0.5),
  },
  {
    look: "plate",
    test: ({ profile, values, times }) =>
      !times && isMostlyDifferent(profile) && shareOf(values, isPlate) >= most,
  },
  {
    look: "personName",
    test: ({ values }) =>
      values.length > fewNames && shareOf(values, (value) => personName.test(value)) >= most,
  },
  {
    look: "category",
    test: ({ profile }) =>
      profile.hasAllValues && profile.values.length <= 50 && profile.filled >= 3 * profile.values.length,
  },
  {
    look: "unique",
    test: ({ profile, values }) =>
      isMostlyDifferent(profile) && shareOf(values, (value) => /^\S{1,64}$/.test(value)) >= most,
  },
  { look: "constant", test: ({ profile }) => profile.hasAllValues && profile.values.length === 1 },
  { look: "text", test: ({ values }) => shareOf(values, (value) => /\p{L}/u.test(value)) > 0.5 },
];

export function looksOf(content: Content): ReadonlySet<Look> {
  return new Set(
    detectors.filter(({ test }) => content.values.length > 0 && test(content)).map(({ look }) => look),
  );
}
