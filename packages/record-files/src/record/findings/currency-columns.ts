import { isObject } from "@gatehouse-parking/contract";
import { shortened } from "../../messages.js";
import type { Finding } from "../../refusals.js";
import { recordColumn, type Row } from "../../table.js";
import { maxPathLevels } from "../record-builder.js";

/** Codes of ISO 4217; without funds and metals. */
const codes = new Set(
  (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
    "CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL " +
    "HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD " +
    "MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG " +
    "QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD " +
    "TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL"
  ).split(" "),
);
const symbols = new Set([..."$€£¥₹₺₽₩₪₫₴₦฿"]);

/** More columns than amounts. */
const maxShownColumns = 20;
/** Members that JSON records may have together. */
const maxNames = 2_000;

/** The rows and the first line of each currency. */
type Currencies = Map<string, { rows: number; line: number }>;

/** Finds columns, and members of JSON records, that hold nothing but currencies, and more than one of them. */
export class CurrencyColumns {
  /** Undefined: the column holds something else. */
  readonly #candidates = new Map<string, Currencies | undefined>();

  add(columns: readonly string[], { cells, line }: Row): void {
    if (columns.length === 1 && columns[0] === recordColumn)
      this.#addMembers(JSON.parse(cells[0] ?? "{}") as object, "", line);
    else for (const [position, name] of columns.entries()) this.#addCell(name, cells[position] ?? "", line);
  }

  #addMembers(members: object, prefix: string, line: number): void {
    for (const [name, value] of Object.entries(members)) {
      const path = prefix + name;
      if (isObject(value) && path.split(".").length < maxPathLevels)
        this.#addMembers(value, `${path}.`, line);
      else if (value !== null) this.#addCell(path, typeof value === "string" ? value : "no currency", line);
    }
  }

  #addCell(name: string, cell: string, line: number): void {
    if (this.#candidates.has(name) && !this.#candidates.get(name)) return;
    const word = cell.slice(0, 16).trim().toUpperCase();
    if (word === "") return;
    const found: Currencies = this.#candidates.get(name) ?? new Map();
    if (found.size === 0 && this.#candidates.size >= maxNames) return;
    if (!codes.has(word) && !symbols.has(word)) {
      this.#candidates.set(name, undefined);
      return;
    }
    const known = found.get(word) ?? { rows: 0, line };
    known.rows += 1;
    found.set(word, known);
    this.#candidates.set(name, found);
  }

  findings(): Finding[] {
    const mixed = [...this.#candidates].flatMap(([name, found]) =>
      found && found.size > 1 ? [{ name, found }] : [],
    );
    return mixed.slice(0, maxShownColumns).map(({ name, found }): Finding => {
      const currencies = [...found].map(([currency, { rows }]) => ({ currency, rows }));
      const examples = [...found].slice(0, 3).map(([value, { line }]) => ({ line, value }));
      const rows = currencies.reduce((sum, { rows: count }) => sum + count, 0);
      return { code: "severalCurrencies", data: { column: shortened(name), currencies }, rows, examples };
    });
  }
}
