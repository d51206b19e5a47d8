/**
 * How languages use characters beyond ASCII, most frequent first, for each encoding in which their files are written.
 * Each alphabet stands for several similar languages.
 */
const western = [
  "éèàçêâîôûëïùœ",
  "äüöß",
  "áéíóúñü",
  "ãçáéíóõêâà",
  "àèéìòù",
  "åäö",
  "øåæ",
  "éëïèö",
  "íáéóðúýþæö",
];
const central = ["łóąężśćńź", "íáěéřčšžýůúťďňóäľĺŕô", "áéöóüőíúű", "čšžćđ", "ășțâîşţ"];
const turkish = ["ıüşçöğiâî"];
const baltic = ["ėšųžčūįąę", "āīēšūņļžčģķ", "äõüö"];
const russian = ["оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"];
const slavic = [
  ...russian,
  "оаинітервлсдкумпязьбгчйїхєжшюцщфґ",
  "аиоетнрвсдклпмзугбъчцйщхжяшюф",
  "аоиеурнјтсдкмпвлзгбчцњљћшђжхџф",
];
const greek = ["αοιετσνηυρπκμλςίόάγέδήωχθύώφβξζψϊϋ"];
const arabic = ["اليمنورتبةعدسفهكقحجشصطخءضذثغأإىئظؤآ"];
const hebrew = ["יוהלאתרבשמנםכקעדחפטסזגןצךףץ"];
const thai = ["านรอกเงมยลวดทสตะปบคหแจพชขใไโผซธถณศญษภฟ่้ัิีืุู็์ำ"];
const japanese = [
  "のにるたいをはてしがとでなあれらかっ車場駐日ーンスルトラリイアクカシ料金出入庫時間号番名月年決済大阪東京市区一支払現",
];
const korean = ["이다의에는가을하고지차주장금시출입일번호결제카드현서울부산대구구동요간월년원기사"];
const simplified = ["的车停场号时间金额入出口费牌京沪粤支付微信宝现市区月日年大一不在有人中北海广州收"];
const traditional = ["的車停場號時間金額入出口費牌台北新高雄市區支付現信用卡月日年大一不在有人中收"];

export const models = {
  "windows-1252": western,
  "windows-1250": central,
  "iso-8859-2": central,
  "windows-1254": turkish,
  "windows-1257": baltic,
  "windows-1251": slavic,
  "koi8-r": russian,
  "iso-8859-5": slavic,
  ibm866: russian,
  "windows-1253": greek,
  "windows-1256": arabic,
  "windows-1255": hebrew,
  "windows-874": thai,
  macintosh: western,
  shift_jis: japanese,
  "euc-jp": japanese,
  "euc-kr": korean,
  gb18030: simplified,
  big5: traditional,
} as const;
