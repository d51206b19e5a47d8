import { plainHeader } from "./header-words.js";

/** Words that other systems use for the values of enumerations, in the languages of concepts-of-times.ts. */
const enumWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    Transient: `transient hourly casual shortterm short-term daily visitor drive-in shortstay pay-on-foot kurzparker kurzparken stundenparker
      einzelparker horaire occasionnel passager courte-durée rotación rotativo horario horaria occasionale orario transito sosta-breve
      kortparker kortparkeerder rotativos avulso rotacyjny krótkoterminowy godzinowy jednorazowy krátkodobé krátkodobý hodinové
      jednorázový rövid-távú óránkénti alkalmi ocazional orar scurtă-durată korttidsparkering tillfällig timparkering korttids timebasert
      lyhytaikainen kertapysäköinti saatlik günübirlik разовый разовая почасовой кратковременный разовий погодинний ωριαίο ωριαίος
      περιστασιακός ساعي زائر عابر بالساعة שעתי מזדמן 時間貸し 一時利用 一般 時間 临时 临停 臨時 临时车 일반 시간제 시간주차 일시`,
    Monthly: `monthly permit subscriber subscription season season-ticket contract dauerparker abonnent abonné mensuel abonado mensual
      abbonato mensile abonnee abonnementhouder maandelijks mensalista miesięczny abonament abonent abonamentowy měsíční předplatitel
      abonent mesačný predplatiteľ havi bérletes bérlet lunar abonament abonat månadsvis månadskort månedskort abonnement månedlig
      kuukausi sopimusasiakas sopimus aylık abone абонемент абонент месячный ежемесячный місячний μηνιαίο συνδρομητής شهري مشترك اشتراك
      חודשי מנוי 定期 月極 定期券 月卡 月租 月租车 包月 정기권 월정기 월정액 정기`,
    Flex: "flex flexible flexi",
    Reservation: `reservation reserved pre-booked prebooking booking booked vorbuchung reservierung vorbucher réservé préréservé réservation reserva
      reservado prenotazione prenotato reservering gereserveerd rezerwacja rezerwacyjny rezervace rezervácia foglalás előfoglalt rezervare
      rezervat bokning förbokad reservation forudbestilt reservasjon forhåndsbestilt varaus ennakkovaraus rezervasyon бронь бронирование
      бронювання κράτηση προκράτηση حجز محجوز הזמנה 予約 预约 預約 预订 예약`,
  },
  status: {
    Active: `active current valid enabled ok aktiv actif activo attivo actief ativo aktywny aktywna aktivní platný aktívny platné aktív érvényes activ
      valabil gyldig voimassa aktiivinen aktif активен активный действует активна активний дійсний ενεργή ενεργός نشط فعال ساري פעיל 有効 契約中
      有效 正常 활성 유효 이용중`,
    Suspended: `suspended paused on-hold blocked frozen gesperrt pausiert suspendu suspendido sospeso geschorst geblokkeerd suspenso zawieszony
      zablokowany pozastavený pozastavená blokovaný felfüggesztett szünetel suspendat pausad spärrad spærret pauset keskeytetty askıda
      приостановлен заблокирован призупинений αναστολή معلق موقوف מושהה 停止 休止 暂停 停用 정지 일시정지`,
    Cancelled: `cancelled canceled terminated revoked gekündigt gekuendigt storniert résilié annulé cancelado annullato disdetto opgezegd
      geannuleerd anulowany rozwiązany wypowiedziany zrušený zrušená ukončený ukončená felmondott törölt lemondott anulat reziliat
      uppsagd avslutad opsagt oppsagt annulleret kansellert irtisanottu peruttu iptal отменен расторгнут аннулирован скасований розірваний
      ακυρωμένη ملغى ملغي מבוטל 解約 解約済 取消 已取消 已注销 해지 취소`,
    PendingApproval: `pending pending-approval awaiting-approval requested beantragt ausstehend en-attente pendiente in-attesa in-afwachting pendente
      oczekujący oczekuje čeká čekající čakajúci függőben în-așteptare väntande afventer venter odottaa beklemede onay-bekliyor ожидает
      на-рассмотрении очікує εκκρεμεί معلق-الموافقة قيد-الانتظار ממתין 承認待ち 申請中 待审核 待审批 대기 승인대기`,
    Expired: `expired lapsed abgelaufen expiré caducado vencido scaduto verlopen expirado wygasły wygasł vypršelý prošlý vypršaný lejárt expirat
      utgången udløbet utløpt päättynyt vanhentunut süresi-dolmuş истек просрочен закінчився έληξε ληγμένη منتهي פג-תוקף 期限切れ 失効 已过期 过期
      만료 만료됨`,
  },
  bookingSource: {
    App: "app mobile-app mobileapp aplikacja aplikace applicazione aplicación aplicacion application приложение アプリ 小程序 앱",
    Website:
      "website web online webseite site-web sitio-web sito-web internet strona webshop сайт ウェブ 网站 웹",
    Whitelabel: "whitelabel white-label",
    Text: "text sms texttopay text-to-pay",
    Other:
      "other sonstige sonstiges autre otro altro overig outro inne jiné iné egyéb altele övrigt andet annet muu diğer другое інше άλλο أخرى אחר その他 其他 기타",
  },
};

function plainWords(text: string): Set<string> {
  return new Set(text.split(/\s+/).map(plainHeader));
}

const enumMeanings = Object.fromEntries(
  Object.entries(enumWords).map(([field, names]) => [
    field,
    new Map(
      Object.entries(names).flatMap(([name, list]) => [...plainWords(list)].map((word) => [word, name])),
    ),
  ]),
);

/** The name of the enumeration that a word of another system means. */
export function enumMeaning(field: string, word: string): string | undefined {
  return enumMeanings[field]?.get(plainHeader(word));
}

const trueWords = plainWords(
  "true yes y 1 ja j oui o si s sí vero wahr vrai verdadero sim waar x t tak t ano a áno igen i da d kyllä k evet e да так ναι نعم כן はい 是 예 네 ✓ on",
);
const falseWords = plainWords(
  "false no n 0 nein non falso falsch faux nee não onwaar f nie ne nem nu nej nei ei hayır h нет ні όχι لا לא いいえ 否 아니오 아니요 off",
);

export function isTrueOrFalse(value: string): boolean {
  return value === "✓" || trueWords.has(plainHeader(value)) || falseWords.has(plainHeader(value));
}

const usualFlags = new Set(["true", "false", "yes", "no", "y", "n", "1", "0"]);

/** Words for true and false beside those of the contract; undefined if a value is neither. */
export function flagWords(values: readonly string[]): { true: string[]; false: string[] } | undefined {
  const found = { true: [] as string[], false: [] as string[] };
  for (const value of values) {
    if (usualFlags.has(value.toLowerCase())) continue;
    const plain = plainHeader(value);
    if (trueWords.has(plain)) found.true.push(value);
    else if (falseWords.has(plain)) found.false.push(value);
    else return undefined;
  }
  return found;
}

/** Words for rows that did not happen, such as cancelled sales and tests. */
const voidWords = plainWords(
  `void voided cancelled canceled cancellation cancel test testing training demo failed declined aborted error deleted draft no-show noshow unpaid rejected
  storno storniert annulliert abgebrochen fehlgeschlagen gelöscht testbuchung testticket annulé annulée abandonné échoué essai anulado anulada cancelado cancelada
  fallido prueba rechazado annullato annullata fallito prova geannuleerd mislukt verwijderd estornado falhou teste anulowany anulowana
  anulowano odrzucona odrzucono testowy zrušeno zrušený stornováno neúspěšná zrušené zamietnuté törölt sztornó sztornózott sikertelen teszt anulat
  anulată eșuat makulerad avbruten misslyckad annulleret fejlet slettet kansellert feilet peruttu epäonnistunut testi iptal iptal-edildi başarısız
  отменен отменена отменено отмена аннулирован ошибка тест отклонен скасовано скасований скасування помилка ακυρωμένη ακυρώθηκε ακύρωση δοκιμή αποτυχία
  ملغى ملغي ملغاة فاشل اختبار مرفوض תגובה מבוטל בוטל נכשל בדיקה 取消 取消済 キャンセル 無効 失敗 テスト 已取消 作废 失败 测试 취소 취소됨 무효 실패 테스트`,
);
const refundWords = plainWords(
  `refund refunded reversal reversed chargeback credit credit-note rückerstattung erstattet erstattung gutschrift remboursé remboursée remboursement avoir
  reembolso reembolsado reembolsada devolución devuelto abono rimborso rimborsato rimborsata terugbetaald terugbetaling creditnota devolvido zwrot zwrócono
  vráceno vratka refundace vrátené visszatérítés visszatérített rambursat rambursare återbetald återbetalning kreditering refunderet
  tilbagebetalt refundert hyvitetty hyvitys palautettu iade iade-edildi возврат возвращен возвращено повернення повернено επιστροφή
  επιστράφηκε استرداد مسترد מוחזר החזר זיכוי 返金 返金済 返金済み 退款 已退款 환불 환불됨`,
);

export function isVoidWord(value: string): boolean {
  return voidWords.has(plainHeader(value));
}

export function isRefundWord(value: string): boolean {
  return refundWords.has(plainHeader(value));
}
