/** How reports in many languages begin a line of totals. */
const words = new Set(
  [
    "total totals subtotal sub-total grand sum sums count average records rows balance",
    "summe gesamt gesamtsumme zwischensumme endsumme anzahl insgesamt durchschnitt",
    "totaux sous-total somme nombre moyenne ensemble totale totali somma subtotale totaal subtotaal aantal som",
    "suma totales totais subtotais soma razem ogółem łącznie suma celkem součet spolu súčet összesen végösszeg",
    "toplam genel yhteensä summa totalt sammanlagt kokku kopā viso ukupno zbroj skupaj vsota",
    "итого всего сумма итог разом всього усього общо сума укупно σύνολο άθροισμα",
    '合計 小計 総計 总计 合计 小计 總計 共计 합계 총계 소계 المجموع الإجمالي الاجمالي إجمالي מجموع סה״כ סה"כ סהכ tổng รวม',
  ].flatMap((line) => line.split(" ")),
);
const maxLength = 40;

/** Whether a cell says that its row is a total: "Total", "Grand total:", "Total Visa". */
export function isTotalWord(cell: string): boolean {
  const text = cell
    .slice(0, maxLength + 1)
    .trim()
    .toLowerCase();
  if (text === "" || text.length > maxLength) return false;
  const [first = ""] = text.split(/[\s:.(=]/, 1);
  return words.has(first);
}
