import { expect, test } from "vitest";
import { guessEncoding, type GuessedEncoding } from "./guess-encoding.js";

/** Encodes text by inverting the decoder. */
function encode(text: string, encoding: GuessedEncoding): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, number[]>();
  for (let one = 255; one >= 0; one -= 1) {
    const lastOfTwo = one > 0x80 ? 64 : 256;
    for (let two = 255; two >= lastOfTwo; two -= 1) {
      const char = decoder.decode(Uint8Array.of(one, two));
      if ([...char].length === 1) bytesOf.set(char, [one, two]);
    }
    const char = decoder.decode(Uint8Array.of(one));
    if (char !== "\ufffd") bytesOf.set(char, [one]);
  }
  return Uint8Array.from([...text].flatMap((char) => bytesOf.get(char) ?? [0x3f]));
}

const texts: [string, string, GuessedEncoding[]][] = [
  [
    "Polish",
    "Wjazd;Kwota brutto;Miejsce\n1;Łódź, ulica Piotrkowska;Kraków\n2;Gdańsk, płatność kartą;Śródmieście\n",
    ["windows-1250", "iso-8859-2"],
  ],
  [
    "Czech",
    "Příjezd;Částka;Místo\n1;Náměstí Míru;Plzeň\n2;Žižkov, zaplaceno;České Budějovice\n",
    ["windows-1250"],
  ],
  ["Hungarian", "Belépés;Összeg;Fizetési mód\n1;Győr, készpénz;Szőlő utca\n", ["windows-1250"]],
  [
    "Turkish",
    "Giriş;Çıkış;Ödeme şekli;Araç\n1;İstanbul Kadıköy;Şişli;kartlı ödeme\n2;Beşiktaş;Üsküdar;nakit değil\n",
    ["windows-1254"],
  ],
  [
    "Russian",
    "Въезд;Выезд;Сумма;Парковка\n1;Москва, Тверская улица;оплачено\n2;Санкт-Петербург;наличные\n",
    ["windows-1251", "koi8-r", "ibm866", "iso-8859-5"],
  ],
  [
    "Greek",
    "Είσοδος;Έξοδος;Ποσό\n1;Αθήνα, πλατεία Συντάγματος;πληρωμή\n2;Θεσσαλονίκη;μετρητά\n",
    ["windows-1253"],
  ],
  ["Arabic", "الدخول;الخروج;المبلغ\n1;موقف السيارات المركزي;الرياض\n2;بطاقة ائتمان;جدة\n", ["windows-1256"]],
  ["Hebrew", "כניסה;יציאה;סכום\n1;חניון מרכזי תל אביב;כרטיס אשראי\n2;ירושלים;מזומן\n", ["windows-1255"]],
  [
    "Japanese",
    "入庫時間;出庫時間;料金;駐車場\n1;東京駅前の駐車場;クレジットカード\n2;大阪の中央;現金\n",
    ["shift_jis", "euc-jp"],
  ],
  ["Korean", "입차시간;출차시간;금액;주차장\n1;서울시 강남구 주차장;신용카드\n2;부산;현금\n", ["euc-kr"]],
  ["Chinese", "入场时间;出场时间;金额;车牌号\n1;北京市停车场;微信支付\n2;上海;现金\n", ["gb18030"]],
  [
    "Traditional Chinese",
    "入場時間;出場時間;金額;車牌號碼\n1;台北市停車場;信用卡支付\n2;高雄;現金\n",
    ["big5"],
  ],
  [
    "German",
    "Kennzeichen;Straße;Gebühr\n1;München, Königsplatz;bezahlt\n2;Köln, Übergang;offen\n",
    ["windows-1252"],
  ],
  ["German and others", "Name;Ort\n1;Müller GmbH;Zoë\n2;Müller GmbH;Zoë\n", ["windows-1252"]],
  [
    "French",
    "Entrée;Numéro;Réglé à\n1;Préfecture, côté gare;payé\n2;Hôtel de Ville;annulé\n",
    ["windows-1252"],
  ],
  [
    "Danish",
    "Indkørsel;Udkørsel;Beløb\n1;København, Nørregade;betalt på stedet\n2;Århus;kort\n",
    ["windows-1252"],
  ],
];

test.each(
  texts.flatMap(([language, text, encodings]) =>
    encodings.map((encoding) => [language, encoding, text] as const),
  ),
)("%s in %s is recognized", (_language, encoding, text) => {
  const bytes = encode(text, encoding);
  const guess = guessEncoding(bytes);
  // Another encoding is as good if it gives the same text.
  expect(new TextDecoder(guess?.encoding).decode(bytes)).toBe(text);
});
