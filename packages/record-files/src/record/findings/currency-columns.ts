import { shortened } from "../../messages.js";
import type { Finding } from "../../refusals.js";
import type { Row } from "../../table.js";

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

/** Finds columns that hold nothing but currencies, and more than one of them. */
export class CurrencyColumns {
  /** For each column that may be one: the rows and the first line of each currency. */
  #candidates: Map<number, Map<string, { rows: number; line: number }>> | undefined;
  #columns: readonly string[] = [];

  add(columns: readonly string[], { cells, line }: Row): void {
    this.#columns = columns;
    this.#candidates ??= new Map(columns.map((_, position) => [position, new Map()]));
    for (const [position, found] of this.#candidates) {
      const word = (cells[position] ?? "").slice(0, 16).trim().toUpperCase();
      if (word === "") continue;
      if (!codes.has(word) && !symbols.has(word)) this.#candidates.delete(position);
      else {
        const known = found.get(word) ?? { rows: 0, line };
        known.rows += 1;
        found.set(word, known);
      }
    }
  }

  findings(): Finding[] {
    const mixed = [...(this.#candidates ?? [])].filter(([, found]) => found.size > 1);
    return mixed.slice(0, maxShownColumns).map(([position, found]): Finding => {
      const currencies = [...found].map(([currency, { rows }]) => ({ currency, rows }));
      const examples = [...found].slice(0, 3).map(([value, { line }]) => ({ line, value }));
      const rows = currencies.reduce((sum, { rows: count }) => sum + count, 0);
      const data = { column: shortened(this.#columns[position] ?? ""), currencies };
      return { code: "severalCurrencies", data, rows, examples };
    });
  }
}
