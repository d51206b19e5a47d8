/**
 * Words of headers by what they mean, in 25 languages: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Czech, Slovak,
 * Hungarian, Romanian, Swedish, Danish, Norwegian, Finnish, Turkish, Russian, Ukrainian, Greek, Arabic, Hebrew, Japanese, Chinese, Korean.
 * Words joined by _ are phrases.
 */
export const conceptsOfTimes = {
  entry: `enter inpassering wejście вход entry entrance entered ingress checkin check_in arrival arrived time_in date_in in_time in_date clock_in gate_in timein
    datein intime einfahrt einfahrts ankunft zufahrt entrée arrivée entrada ingreso llegada ingresso entrata arrivo inrit inrij
    aankomst binnenkomst chegada wjazd wjazdu przyjazd przyjazdu vjezd vjezdu příjezd příjezdu vjazd vjazdu príchod príjazd
    behajtás érkezés belépés intrare intrării sosire infart inkörning ankomst indkørsel innkjøring sisäänajo saapuminen tulo
    giriş въезд въезда заезд заезда прибытие прибытия в'їзд в'їзду заїзд заїзду прибуття είσοδος εισόδου άφιξη άφιξης دخول
    الدخول وصول الوصول כניסה הגעה 入庫 入場 入車 到着 进场 入场 進場 到达 입차 입장 도착`,
  exit: `leave utpassering wyjście выход exit exited egress checkout check_out departure departed time_out date_out out_time out_date timeout dateout outtime gate_out
    ausfahrt ausfahrts abfahrt abreise sortie départ salida uscita partenza uitrit uitrij vertrek saída wyjazd wyjazdu
    odjazd odjazdu výjezd výjezdu odjezd odjezdu výjazd výjazdu odchod odjazd kihajtás távozás kilépés ieșire ieșirii plecare utfart
    utkörning avgång avresa udkørsel afgang utkjøring avreise ulosajo poistuminen lähtö çıkış выезд выезда отъезд виїзд виїзду
    від'їзд έξοδος εξόδου αναχώρηση αναχώρησης خروج الخروج مغادرة المغادرة יציאה עזיבה 出庫 出場 出車 出场 离场 離場 출차 퇴장`,
  start: `alta fecha_alta fecha_de_alta eff aktivierung since depuis seit ważne_od platnost_od valid_from start started begin began beginn parkbeginn anfang début inicio inizio início rozpoczęcia rozpoczęcie rozpoczęto początek
    začátek zahájení začiatok kezdés kezdete kezdő început aloitus alku başlangıç начало начала початок початку έναρξη έναρξης بداية
    بدء البدء התחלה 開始 开始 開始 시작 from von ab desde dal od från fra`,
  end: `eind platnost_do platí_do ważny_do ważna_do ważność_do ważne_do okres_do valid_to válido_até baja fecha_baja fecha_de_baja end ended finish finished stop stopped ende parkende fin fine fim término einde koniec zakończenia zakończenie zakończono
    konec ukončení ukončenie vége záró sfârșit slut slutt loppu päättyminen bitiş конец конца окончание окончания кінець кінця закінчення λήξη
    λήξης τέλος نهاية النهاية انتهاء סיום סוף 終了 结束 結束 종료 until till bis hasta até tot`,
  plan: `planowane planned scheduled booked reserved expected estimated geplant geplante gebucht gebuchte voraussichtlich prévu prévue réservé
    previsto prevista reservado programada prenotato gepland geplande geboekt planowany planowana plánovaný plánovaná tervezett
    planificat planificată planerad planlagt suunniteltu planlanan планируемый плановый плановая запланований плановий
    προγραμματισμένη مخطط المخطط متوقع מתוכנן צפוי 予定 预定 预计 預計 예정`,
  pay: `pay paid payment payments payed sale sales sold settled settlement zahlung zahlungs bezahlt bezahlung bezahl zahl gezahlt
    kassiert paiement payé payée règlement encaissement réglé pago pagado pagada cobro cobrado venta pagamento pagato incasso
    vendita betaling betaald betaal verkoop venda pagado płatność płatności zapłaty zapłata zapłacono sprzedaży sprzedaż platba
    platby zaplaceno zaplatené úhrada úhrady úhrada prodej prodeje predaj fizetés fizetett fizetve plată plății plătit achitat
    vânzare betalning betald betalt salg forsaljning maksettu ödeme ödenen satış оплата оплаты оплачено платеж платежа
    продажа продажи сплачено платіж платежу продаж πληρωμή πληρωμής πληρωμένο دفع الدفع مدفوع المدفوع السداد תשלום שולם 支払
    決済 精算 会計 付款 支付 缴费 收费 결제 지불 납부 수납 정산`,
  transaction: `transaction transactions txn trx trans transaktion transaktions vorgang vorgangs opération transacción operación transazione
    operazione transactie transação operação transakcja transakcji transakce transakcie transakcia tranzakció tranzacție
    tranzacției transaksjon tapahtuma işlem транзакция транзакции операция операции транзакція транзакції операція операції
    συναλλαγή συναλλαγής معاملة المعاملة عملية العملية עסקה 取引 交易 거래`,
  issue: `created issued issue occurred erstellt ausgestellt ausgabe créé émis émission emisión emissione uitgegeven emissão
    wystawienia wystawiono utworzono vystavení vytvořeno vystavené kiállítás kelte emitere emiterii utfärdad udstedt utstedt
    oluşturma создан создания выдачи створено створення видачі έκδοσης έκδοση إصدار الإصدار إنشاء الإنشاء יצירה הנפקה 作成 発行 创建
    生成 开票 발행 생성`,
  admin: `due_date updated modified exported export synced sync printed changed imported uploaded closed geändert aktualisiert gedruckt
    modifié modification actualizado modificado aggiornato modificato gewijzigd bijgewerkt atualizado zmodyfikowano zmiany
    aktualizacji upraveno změněno frissítve módosítás actualizat ändrad uppdaterad ændret opdateret endret oppdatert päivitetty
    muokattu güncelleme изменено изменения обновлено оновлено змінено τροποποίηση تعديل تحديث עדכון 更新 修改 수정 birth birthday born dob geburtsdatum
    naissance nacimiento nascita fällig échéance vencimiento scadenza`,
  date: `dt dte date day datum datums tag jour fecha día data giorno dag dia dzień den dne dátum deň dňa nap ziua dato päivä päivämäärä
    pvm tarih tarihi gün дата даты день дати ημερομηνία ημερ تاريخ التاريخ يوم اليوم תאריך 日付 年月日 日期 날짜 일자`,
  month: `month monat mois mes mese maand mês miesiąc měsíc mesiac hónap lună månad måned kuukausi ay месяц місяць μήνας شهر חודש 月`,
  year: `year jahr année año anno jaar ano rok év an år vuosi yıl год рік έτος سنة שנה 年`,
  time: `tm time times clock hour uhrzeit zeit heure horaire hora ora orario tijd uur godzina godz czas čas hodina idő óra timp tid
    klockslag klokkeslett klokkeslæt aika kello kellonaika saat saati время час часу ώρα وقت الوقت ساعة الساعة שעה זמן 時刻 時間 时间 時間 시간 시각`,
  moment: `timestamp datetime zeitpunkt zeitstempel datumuhrzeit horodatage horodate dateheure fechahora dataora datahora
    tijdstip időpont tidspunkt tidsstempel aikaleima zaman 日時 일시 momento`,
  duration: `duration length minutes minuten minutos minuti minut dwell dauer parkdauer aufenthaltsdauer aufenthalt durée duración estancia durata
    sosta duur verblijf duração permanência czas_postoju czas_parkowania doba trvání délka dĺžka időtartam tartam varaktighet
    varighed varighet kesto süre süresi длительность продолжительность тривалість διάρκεια مدة المدة משך 駐車時間 利用時間 时长 停车时长 停車時數
    주차시간 이용시간`,
  valid: `eff effective valid validity effective gültig gültigkeit vertrags valable validité válido vigencia valido validità geldig geldigheid
    validade ważny ważności ważna platnost platí platnosť érvényes érvényesség valabil valabilitate giltig gyldig voimassa geçerlilik
    действует действителен действия дійсний дії ισχύς ισχύει صالح صلاحية תוקף בתוקף 有効 有効期限 有效 有效期 유효`,
  expiry: `exp expiry expires expiration expire ablauf läuft_ab expiration caducidad caduca scade verloopt expira wygasa expirace lejárat
    expiră utgår udløber utløper vanhenee истекает закінчується λήγει ينتهي פג 失効 期限 到期 만료 만기`,
} as const;
