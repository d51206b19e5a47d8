/** Like conceptsOfTimes. */
export const conceptsOfMoney = {
  amount: `amt chg due fine_amount to_pay amount_due att_betala zu_zahlen à_payer da_pagare a_pagar te_betalen do_zapłaty k_platbě k_úhradě fizetendő de_plată at_betale å_betale maksettava ödenecek к_оплате до_сплати πληρωτέο 支払額 应付 應付 amount sum charge charged cost price revenue tender_amount betrag betrags summe preis entgelt parkentgelt umsatz einnahme
    montant somme prix recette importe monto precio importo prezzo somma costo bedrag prijs valor quantia preço kwota suma cena
    koszt należność opłata opłaty utarg częstka částka cena čiastka tržba összeg ár ára díj díja sumă preț belopp summa pris beløb
    beløp hinta tutar tutarı ücret ücreti fiyat bedel сумма суммы цена стоимость сума ціна вартість ποσό τιμή χρέωση مبلغ المبلغ قيمة
    القيمة السعر סכום מחיר חיוב 金額 料金 代金 売上 金额 費用 费用 價格 금액 요금 dollars dollar`,
  total: `total totals grand gesamt gesamtsumme insgesamt totale totaal łącznie razem ogółem całkowita celkem celkom spolu összesen végösszeg
    összes totalt yhteensä kokonais toplam итого всего итог разом усього всього σύνολο συνολικό إجمالي الإجمالي اجمالي الاجمالي
    المجموع مجموع סה"כ סהכ 合計 総額 合计 总额 總計 总计 應收 合計 합계 총액 총`,
  gross: `gross brutto brut ttc bruto lordo hrubá hrubý bruttó incl inkl including 税込 含税 брутто ברוטו`,
  net: `net netto ht neto nette líquido čistá čistý nettó nett нетто без_ндс 税抜 不含税 καθαρό صافي الصافي נטו 순액 excl excluding`,
  tax: `tax vat gst mwst ust steuer umsatzsteuer mehrwertsteuer tva taxe iva impuesto imposta btw belasting imposto podatek podatku dph daň
    áfa moms vero alv kdv vergi vergisi ндс налог пдв податок φπα φόρος ضريبة الضريبة מע"מ מעמ מס 税 消費税 税额 稅 세금 부가세`,
  fee: `fee fees surcharge gebühr gebuehr gebühren frais comisión commissione spese kosten toeslag taxa prowizja poplatek
    poplatok taxă avgift gebyr palkkio komisyon комиссия сбор комісія збір προμήθεια رسوم الرسوم رسم עמלה 手数料 手续费 수수료`,
  service: `service convenience servicio servizio serviço usługa usługi serwisowa služba szolgáltatás serviciu palvelu hizmet сервис сервисный
    خدمة الخدمة שירות サービス 服务 서비스`,
  processing: `processing bearbeitung bearbeitungs traitement procesamiento elaborazione verwerking processamento przetwarzania zpracování`,
  discount: `discount discounted promotion promo promotional rebate reduction coupon voucher rabatt nachlass ermäßigung gutschein remise réduction descuento
    cupón sconto buono korting desconto zniżka rabat sleva zľava kupon kedvezmény reducere alennus indirim скидка
    купон промокод знижка έκπτωση κουπόνι خصم الخصم קופון הנחה 割引 クーポン 折扣 优惠 優惠 할인 쿠폰 validation`,
  refund: `refund refunded reversal reversed chargeback storno storniert stornierung erstattung erstattet remboursement remboursé
    reembolso reembolsado devolución rimborso rimborsato terugbetaling terugbetaald zwrot zwrotu vrácení vratka vrátenie
    visszatérítés rambursare återbetalning återbetald tilbagebetaling refusjon refundert palautus hyvitys iade возврат
    возврата повернення επιστροφή استرداد מستردة זיכוי החזר 返金 退款 환불`,
  method: `betalsätt betalningssätt betalingsmåde betalingsmåte maksutapa zahlungsform zahlart zahlweise method means tender brand mittel mode moyen medio método forma metodo mezzo wijze methode meio sposób
    metoda způsob spôsob mód metodă sätt metod måde metode tapa yöntem yöntemi şekli способ метод спосіб τρόπος طريقة وسيلة אמצעי שיטה 方法 手段 方式
    수단 방법 instrument`,
  card: `card karte karten carte tarjeta carta kaart cartão karta karty kártya kort kortti kart карта карты картка картки κάρτα κάρτας بطاقة
    البطاقة אשראי カード 卡 카드`,
  currency: `currency währung devise moneda valuta munt moeda waluta měna mena pénznem monedă valuutta para_birimi валюта νόμισμα
    عملة العملة מטבע 通貨 币种 货币 通화`,
  tip: `tip gratuity trinkgeld pourboire propina mancia fooi gorjeta napiwek`,
  rate: `rate tariff monthly_fee miete tarif tarifa tariffa tarief taryfa stawka sazba sadzba díjszabás hyra leje leie vuokra kira ставка тариф
    μίσθωμα تعرفة תעריף 月額 料率 费率 月租 요율 월정액 monatspreis monatsmiete cuota canone`,
  balance: `balance saldo solde balans zůstatek zostatok egyenleg sold остаток баланс υπόλοιπο رصيد יתרה 残高 余额 잔액 outstanding change wechselgeld rückgeld
    rendu cambio resto reszta`,
  cents: `cents cent minor minor_units rappen centimes centime céntimos centavos centesimi grosz grosze groszy haléře haléřů fillér bani öre øre penniä
    kuruş копейки копеек копійки λεπτά pence pennies هللة فلس אגורות 分`,
} as const;
