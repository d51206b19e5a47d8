/** Like conceptsOfTimes. */
export const conceptsOfThings = {
  id: `č čís ref réf id ids number no nr num nummer numéro numero número nº n° № reference ref identifier uuid guid serial numer číslo szám
    száma sorszám azonosító număr numărul nummeret tunniste tunnus numara numarası номер ид номера ідентифікатор αριθμός αρ رقم الرقم معرف
    מספר מזהה 番号 编号 號碼 編號 单号 流水号 번호 nosto`,
  ticket: `tkt claim claim_check ticket tickets stub parkschein biglietto billet bilet biletu lístek lístku lístok jegy biljett billett lippu талон билет
    билета квиток квитка εισιτήριο εισιτηρίου تذكرة التذكرة כרטיס 駐車券 車票 票号 票 티켓 주차권 citation summons violation`,
  receipt: `receipt invoice document doc bill beleg belegs quittung rechnung reçu facture justificatif recibo factura comprobante
    ricevuta fattura scontrino bon factuur fatura paragon paragonu rachunek rachunku faktura faktury účtenka účtenky doklad
    dokladu blok bloku számla bizonylat nyugta chitanță kvitto kvittering kuitti lasku fiş чек чека квитанция квитанции счет счёт
    квитанція рахунок απόδειξη απόδειξης παραστατικό إيصال الإيصال فاتورة الفاتورة קבלה חשבונית 領収書 領収 レシート 伝票 收据 发票 單據 영수증 전표`,
  booking: `booking reservation prebooking order buchung buchungs reservierung reservierungs vorbuchung auftrag réservation commande reserva pedido prenotazione reservering
    boeking rezerwacja rezerwacji zamówienie zamówienia rezervace objednávka rezervácia rezervácie foglalás rezervare rezervării bokning
    boknings bestilling reservasjon varaus tilaus rezervasyon бронирование бронирования бронь заказ заказа бронювання замовлення
    κράτηση κράτησης حجز الحجز הזמנה 予約 注文 预订 預約 预约 订单 訂單 예약 주문`,
  session: `session sessions stay visit sitzung parkvorgang séjour stationnement sesión sessione sessie sessão sesja sesji relace
    pobyt sesiune istunto oturum сессия сессии сеанс сесія συνεδρία جلسة الجلسة セッション 会话 세션 charging event`,
  permit: `permit subscription contract season pass membership agreement vertrag vertrags abo abonnement dauerkarte contrat permiso
    contrato abono suscripción contratto abbonamento tessera vergunning contract licença assinatura abonament abonamentu umowa
    umowy zezwolenie zezwolenia smlouva smlouvy předplatné povolení zmluva zmluvy bérlet szerződés tillstånd avtal
    kontrakt tilladelse avtale lupa sopimus abonelik sözleşme izin абонемент абонемента договор договора разрешение дозвіл
    договір договору συνδρομή άδεια σύμβαση اشتراك الاشتراك تصريح التصريح عقد מנוי חוזה היתר 契約 定期 許可 合同 月卡 许可 계약 정기권 허가`,
  customer: `customer client account debtor member kunde kunden debitor debitoren mandant compte cliente cuenta klant klanten
    debiteur rekening conta klient klienta kontrahent kontrahenta zákazník zákazníka ügyfél vevő kund asiakas müşteri hesap клиент клиента контрагент
    контрагента клієнт клієнта πελάτης πελάτη عميل العميل الزبون حساب לקוח 顧客 得意先 お客様 客户 客戶 会员 고객 회원 konto`,
  company: `company business organisation organization firm employer tenant firma firmen unternehmen betrieb société entreprise raison_sociale empresa
    compañía razón_social azienda ditta ragione_sociale società bedrijf razão_social firmy nazwa_firmy společnost spoločnosť cég companie firmă
    denumire företag virksomhed selskap bedrift yritys şirket компания организация фирма компанія організація εταιρεία επωνυμία شركة الشركة المؤسسة
    חברה 会社 企業 会社名 公司 单位 회사 업체 기업`,
  name: `name nom nombre nome naam nazwa jméno název meno názov név neve nume namn navn nimi ad adı isim unvan имя название
    наименование фио ім'я назва найменування піб όνομα ονοματεπώνυμο اسم الاسم שם 名称 名前 氏名 姓名 名稱 이름 명칭 성명 이름`,
  first: `firstname first_name given_name givenname forename vorname prénom voornaam primeiro_nome nome_próprio imię imiona
    křestní keresztnév utónév prenume förnamn fornavn etunimi имя ім'я الأول פרטי 名`,
  last: `lastname last_name family_name familyname surname nachname familienname nom_de_famille apellido apellidos cognome achternaam sobrenome
    apelido nazwisko příjmení priezvisko vezetéknév családnév efternamn efternavn etternavn sukunimi soyad soyadı soyisim фамилия
    прізвище επώνυμο العائلة اللقب משפחה 姓 苗字 성`,
  person: `parkeerder kunden_name ansprechpartnerin referent attn driver holder cardholder parker user person contact guest full fahrer halter inhaber ansprechpartner kontakt conducteur titulaire
    conductor titular contacto conducente intestatario referente bestuurder houder contactpersoon condutor kierowca kierowcy
    osoba osoby řidič řidiče držitel vodič vezető kapcsolattartó șofer förare fører sjåfør kuljettaja sürücü водитель водителя
    водій водія контакт οδηγός σύμβουλος سائق السائق נהג איש_קשר 運転者 利用者 担当者 司机 车主 聯絡人 联系人 운전자 담당자`,
  email: `email mail e_mail emailaddress emailadresse mailadresse courriel correo posta epost e_post sähköposti eposta e_posta почта
    эл_почта имейл пошта ел_пошта ηλεκτρονικό بريد البريد דוא"ל דואל מייל メール メールアドレス 邮箱 邮件 電郵 郵件 이메일 메일`,
  phone: `phone phonenumber mobile cell tel telephone telefon telefonnummer handy handynummer mobil téléphone teléfono móvil celular telefono cellulare telefoon
    telefoonnummer telefone telemóvel telefonu komórka telefón puhelin cep телефон телефона мобильный моб мобільний τηλέφωνο
    κινητό هاتف الهاتف جوال الجوال טלפון נייד 電話 携帯 电话 手机 手機 전화 휴대폰 연락처`,
  plate: `reg rego plate plates lpn vrm lpr anpr registration licenseplate licenceplate numberplate license_plate licence_plate number_plate reg_no vehicle_reg kennzeichen kfz_kennzeichen nummernschild
    immatriculation plaque matrícula placa patente targa kenteken rejestracja rejestracyjny rejestracji tablica tablice rejestr
    nr_rej spz rz registrační značka evč ečv evidenčné rendszám rendszáma plăcuță înmatriculare nr_auto registreringsnummer
    regnr reg_nr nummerplade skilt kjennemerke rekisteri rekisterinumero rekisteritunnus plaka госномер гос_номер грз номерной_знак номерний_знак
    держномер πινακίδα πινακίδας κυκλοφορίας لوحة اللوحة רישוי לוחית ナンバー 車番 車両番号 车牌 车牌号 車牌 차량번호 번호판 차번호`,
  vehicle: `vehicle car auto fahrzeug kfz pkw véhicule voiture vehículo coche veicolo voertuig veículo carro pojazd pojazdu
    samochód samochodu vozidlo vozidla jármű gépjármű vehicul mașină fordon bil køretøj kjøretøy ajoneuvo araç авто автомобиль автомобиля
    тс автомобіль автомобіля όχημα οχήματος مركبة المركبة السيارة רכב 車両 车辆 車輛 차량`,
  location: `property premises venue fac facility_name branch_name location garage lot site facility parking carpark car_park branch parkhaus tiefgarage standort parkplatz parkobjekt objekt
    parc emplacement aparcamiento estacionamiento ubicación sede parcheggio posizione parkeergarage locatie parkeerplaats
    parque estacionamento parkingu parkingi lokalizacja obiekt parkoviště parkovisko parkoló parkolóház helyszín parcare parcării
    locație parkeringsplats parkeringshus anläggning lokation anlegg pysäköintihalli pysäköintilaitos otopark lokasyon konum
    парковка парковки паркинг паркинга объект стоянка стоянки паркінг паркінгу локація σταθμός πάρκινγκ χώρος موقف الموقف مواقف
    الموقع חניון מיקום 駐車場 店舗 停车场 停車場 场地 주차장 위치 지점`,
  parking: `parking parken park parkings zone parkzone bereich parkeren parcheggi estacionamientos stationnements`,
  type: `gruppe kundengruppe group groupe grupo gruppo grupa skupina csoport ryhmä grup группа група ομάδα type kind category typ art kategorie parkertyp kundenart catégorie genre tipo categoría categoria soort categorie rodzaj
    kategoria druh kategória típus fajta tip slag kategori tyyppi laji tür türü тип вид категория категорія τύπος είδος κατηγορία نوع
    النوع فئة סוג קטגוריה 種別 種類 区分 类型 類型 种类 유형 종류 구분`,
  product: `product produkt produkte produit producto prodotto produto produktu termék produs tuote ürün продукт товар προϊόν منتج מוצר 商品 产品 상품 article artikel`,
  blocked: `blocked locked gesperrt bloqué bloqueado bloccato geblokkeerd zablokowany blokovaný заблокирован заблокований محظور חסום 停止 封锁 차단`,
  class: `class klasse clase classe classification klassifizierung luokka sınıf класс klasa třída`,
  status: `status statut estado stato stav állapot stare tila durum durumu статус состояние стан κατάσταση حالة الحالة סטטוס מצב 状態
    ステータス 状态 狀態 상태`,
  channel: `channel source origin vertriebskanal kanal quelle canal origen fuente canale fonte kanaal bron origem kanał źródło kanál
    zdroj csatorna forrás sursă källa kilde kanava lähde kaynak канал источник джерело κανάλι قناة ערוץ チャネル 経路 渠道 来源 채널 경로`,
  code: `code kode kod kód código codice cod koodi код κωδικός رمز كود קוד コード 代码 編碼 코드`,
  region: `state province region bundesland province provincia estado provincie staat estado region stat osavaltio eyalet штат регион
    штат πολιτεία ولاية מדינה 州 省 주`,
  make: `make manufacturer brand marke hersteller marque fabricant marca merk marka výrobce výrobca márka gyártó marcă märke mærke merke
    merkki marka марка виробник μάρκα ماركة الماركة יצרן メーカー 品牌 제조사`,
  model: `model modell modèle modelo modello malli модель μοντέλο موديل الطراز דגם 車種 型号 모델 차종`,
  color: `color colour farbe couleur colore kleur cor kolor barva farba szín culoare färg farve farge väri renk цвет колір χρώμα لون
    اللون צבע 色 车身颜色 색상`,
  spaces: `stání státí spaces bays stalls stellplätze stellplatz parkplätze places plazas posti plaatsen vagas miejsc miejsca míst miesta férőhely
    locuri platser pladser plasser paikkoja yer мест місць θέσεις أماكن מקומות 台数 车位 면수`,
  active: `active enabled aktiv actif activo attivo actief ativo aktywny aktywna aktivní aktívny aktív activ aktiivinen aktif активен
    активный активний ενεργός نشط פעיל 有効 启用 활성`,
  staff: `cashier operator attendant clerk lane gate terminal device machine meter officer badge shift kasse kassierer bediener automat schicht gerät
    caissier caisse opérateur borne cajero operador caja turno cassiere operatore cassa kassa kassier kasjer kasa operator
    automatu pokladna pokladní pénztár casier kassör kassa kasserer kassi kassanhoitaja kasiyer кассир касса оператор терминал касир
    каса ταμίας أمين كاشير الصراف קופאי 担当 精算機 收银员 岗亭 근무자 gerätenummer comment comments note notes remark bemerkung notiz nota
    description beschreibung descripción descrizione`,
  address: `address adresse dirección indirizzo adres endereço osoite street strasse city stadt ville zip plz country land pays адрес 住所 地址 주소`,
} as const;

/** Words that say nothing about the field. */
export const fillers = `out op aan the of a an and or for in on at by to with per der die das des dem den und für am im vom zur le la les de du des d l et
  en el los las del y da do dos das e di della delle il lo van het een z na ze w i se si su a o cu og av af och till ja ve и в на по из та у і
  και του της το τη ο η των στο ال של ה local actual real value record row total_of utc gmt cet est pst eur usd gbp chf pln czk huf ron sek
  dkk nok try rub uah jpy cny krw ils aed sar kr zł kč ft lei tl fields data attributes properties item items and`;
