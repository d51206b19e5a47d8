import { expect, test } from "vitest";
import { meaningOf } from "./header-words.js";

test.each([
  ["Entry Date/Time", ["entry", "date", "time"]],
  ["Time In", ["entry"]],
  ["Einfahrtsdatum", ["entry", "date"]],
  ["Zahlungsbetrag", ["pay", "amount"]],
  ["Ticket-Nr.", ["ticket", "id"]],
  ["Kundennummer", ["customer", "id"]],
  ["Heure d'entrée", ["time", "entry"]],
  ["Fecha y hora de salida", ["date", "time", "exit"]],
  ["Kwota brutto", ["amount", "gross"]],
  ["Datum příjezdu", ["date", "entry"]],
  ["Дата въезда", ["date", "entry"]],
  ["Номер билета", ["id", "ticket"]],
  ["Ώρα εξόδου", ["time", "exit"]],
  ["رقم التذكرة", ["id", "ticket"]],
  ["מספר רישוי", ["id", "plate"]],
  ["入庫日時", ["entry", "moment"]],
  ["支付金额", ["pay", "amount"]],
  ["출차시간", ["exit", "time"]],
  ["plate_id", ["plate", "id"]],
  ["Business_Name", ["company", "name"]],
  ["SummonsNumber", ["ticket", "id"]],
  ["Giriş Tarihi", ["entry", "date"]],
  ["Sisäänajoaika", ["entry"]],
] as const)("the words of a header have a meaning in every language: %s", (header, concepts) => {
  expect([...meaningOf(header).concepts].toSorted()).toEqual(
    expect.arrayContaining([...concepts].toSorted()),
  );
});

test("a word that no list has is reported as unknown", () => {
  expect(meaningOf("Frobnicated entry").unknown).toEqual(["frobnicated"]);
});
