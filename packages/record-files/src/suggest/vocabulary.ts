import type { ImportResourceName } from "@gatehouse-parking/contract";

/**
 * Names that other systems use for fields, in seven languages, without spaces, punctuation and case. Names in
 * the first list are specific and take precedence over the general ones in the second.
 */
type Names = readonly [particular: string, general?: string];

const location: Names = [
  "locationuuid locationid locationcode facilityid facilitycode garageid garagecode lotid lotcode siteid sitecode carparkid parkhausnr parkhausid standortid idparc codigoparking",
  "location locationname garage garagename facility facilityname lot lotname site sitename carpark carparkname parkhaus parkhausname standort parkplatz parc nomduparc parking nomparking emplacement aparcamiento estacionamiento ubicacion parcheggio sede parkeergarage locatie parque estacionamentonome",
];

const contact: Readonly<Record<string, Names>> = {
  "contact.email": [
    "email emailaddress customeremail mailaddress emailadresse correoelectronico courriel adresseemail adressemail indirizzoemail emailadres",
    "mail correo",
  ],
  "contact.phoneNumber": [
    "phonenumber customerphone mobilenumber telefonnummer handynummer numerodetelephone numerodetelefono telefoonnummer numerotelefono",
    "phone mobile cell telefon handy telephone telefono telefoon telefone movil",
  ],
  "contact.firstName": ["firstname givenname vorname prenom voornaam primeironome"],
  "contact.lastName": [
    "lastname surname familyname nachname apellido apellidos cognome achternaam sobrenome",
  ],
  "vehicle.licensePlate": [
    "licenseplate licenceplate platenumber plateno licenseplatenumber numberplate registrationnumber vrm vehicleregistration kennzeichen kfzkennzeichen nummernschild immatriculation plaque matricula placa targa kenteken",
    "plate lpr registration lpn",
  ],
  "vehicle.state": ["platestate licensestate licenseplatestate"],
  "vehicle.make": ["vehiclemake make marke marque marca merk"],
  "vehicle.model": ["vehiclemodel model modell modele modelo modello"],
  "vehicle.color": ["vehiclecolor vehiclecolour color colour farbe couleur colore kleur cor"],
};

const transactions: Readonly<Record<string, Names>> = {
  transactionId: [
    "transactionid transactionno transactionnumber transactionref txnid txnno ticketid ticketno ticketnumber ticketnummer receiptno receiptnumber receiptid sessionid bookingid bookingref bookingreference reservationid belegnummer belegnr vorgangsnummer transaktionsnummer transaktionsid transaktionnr ticketnr numeroticket numerodeticket idtransaction numerotransaction numerodetransaction idtransaccion numerotransaccion numerodetransaccion idtransazione numerotransazione transactienummer transactieid bonnummer idtransacao numerotransacao",
    "ticket receipt id reference beleg",
  ],
  locationUuid: location,
  type: [
    "transactiontype parkertype customertype producttype parkingtype kundenart parkerart parkertyp transaktionsart typedeclient typeclient tipocliente tipodecliente tipotransaccion tipotransazione transactietype soortparkeerder tipodetransacao",
    "type kind category typ art tipo soort",
  ],
  transactionDate: [
    "transactiondate transactiontime transactiondatetime paymenttime paymentdate paymentdatetime paidat paidon paidtime salestime saledate zahlzeit zahlungszeit zahlungszeitpunkt zahlungsdatum bezahltam transaktionsdatum transaktionszeit datetransaction datedetransaction datepaiement datedepaiement datedupaiement payele fechapago fechadepago fechatransaccion datapagamento datadipagamento datatransazione betaaldatum betaaldop transactiedatum datadepagamento datatransacao",
    "date datetime timestamp created createdat datum datumuhrzeit dateheure fecha fechahora data dataora datumtijd datahora",
  ],
  sessionStart: [
    "entrytime entrydate entrydatetime timein intime sessionstart starttime parkingstart entryat arrivaltime einfahrtszeit einfahrtzeit einfahrtam parkbeginn heuredentree heureentree dateentree datedentree horaentrada horadeentrada fechaentrada fechadeentrada oraingresso dataingresso inrijtijd starttijd dataentrada",
    "entry arrival start einfahrt beginn entree entrada ingresso inrit",
  ],
  sessionEnd: [
    "exittime exitdate exitdatetime timeout outtime sessionend endtime parkingend exitat departuretime ausfahrtszeit ausfahrtzeit ausfahrtam parkende heuredesortie heuresortie datesortie datedesortie horasalida horadesalida fechasalida fechadesalida orauscita datauscita uitrijtijd eindtijd datasaida",
    "exit departure end ausfahrt ende sortie salida uscita uitrit saida",
  ],
  scheduledArrival: [
    "scheduledarrival plannedarrival bookedfrom reservationstart geplanteankunft arriveeprevue llegadaprevista",
  ],
  scheduledExit: [
    "scheduledexit planneddeparture bookedto bookeduntil reservationend geplanteabfahrt departprevu salidaprevista",
  ],
  amountTotal: [
    "amounttotal totalamount amountpaid totalpaid grossamount totalcharge amountcharged gesamtbetrag bruttobetrag betragbrutto betrageur betragineur zahlbetrag montanttotal montantttc montantpaye importetotal importepagado importototale importopagato totaalbedrag brutobedrag valortotal valorpago",
    "amount total gross betrag brutto summe montant importe importo totale bedrag totaal valor paid",
  ],
  netAmount: [
    "netamount netrevenue netpaid nettobetrag betragnetto montantht montantnet importeneto importonetto nettobedrag valorliquido",
    "net netto",
  ],
  convenienceFee: ["conveniencefee servicefee servicegebuehr servicegebuhr fraisdeservice"],
  processingFee: [
    "processingfee transactionfee cardfee bearbeitungsgebuehr bearbeitungsgebuhr fraisdetraitement",
  ],
  promotionAmount: [
    "promotionamount discountamount promoamount rabattbetrag",
    "discount rabatt remise descuento sconto korting desconto",
  ],
  promoCode: [
    "promocode promotioncode couponcode vouchercode gutscheincode codepromo codigopromocional codicepromozionale kortingscode",
    "coupon voucher gutschein cupon",
  ],
  cardType: [
    "cardtype cardbrand paymentmethod paymenttype zahlungsart zahlungsmittel kartentyp modedepaiement moyendepaiement typedecarte formadepago metododepago tipodetarjeta metodopagamento metododipagamento betaalmethode betaalwijze formadepagamento",
    "card tender zahlart tarjeta",
  ],
  isRefunded: [
    "isrefunded isrefund refunded storniert erstattet rembourse reembolsado rimborsato terugbetaald",
    "refund storno",
  ],
  promoApplied: ["promoapplied discountapplied couponused"],
  bookingSource: [
    "bookingsource bookingchannel saleschannel vertriebskanal canaldevente canaldeventa canaledivendita verkoopkanaal",
    "channel source kanal canal canale kanaal",
  ],
  accountTPReferenceId: [
    "accountid accountreference customerid customernumber kundennummer debitorennummer numeroclient codigocliente codicecliente klantnummer",
  ],
  ...contact,
};

const accounts: Readonly<Record<string, Names>> = {
  tpReferenceId: [
    "accountid accountreference customerid customernumber customerno debtorid kundennummer kundennr kundenid debitorennummer numeroclient numerodeclient codeclient codigocliente codigodecliente codicecliente klantnummer debiteurnummer codigodocliente",
    "id reference",
  ],
  name: [
    "companyname accountname company firmenname firma unternehmen raisonsociale societe nomsociete razonsocial empresa ragionesociale azienda bedrijfsnaam bedrijf razaosocial",
    "name nom nombre nome naam customer kunde client cliente klant",
  ],
  accountNumber: [
    "accountnumber accountno kontonummer numerodecompte numerodecuenta numeroconto rekeningnummer",
  ],
  isActive: ["isactive", "active aktiv actif activo attivo actief ativo"],
  contactName: [
    "contactname contactperson ansprechpartner personneacontacter personadecontacto referente contactpersoon",
    "contact contacto",
  ],
  contactEmail: contact["contact.email"] as Names,
  contactPhoneNumber: contact["contact.phoneNumber"] as Names,
  locationUuid: location,
};

const subscriptions: Readonly<Record<string, Names>> = {
  tpReferenceId: [
    "subscriptionid permitid contractid contractno contractnumber vertragsnummer vertragsnr abonr abonummer numerocontrat numerodecontrat numerocontrato numerodecontrato numerocontratto contractnummer abonnementsnummer",
    "id reference",
  ],
  accountTPReferenceId: accounts["tpReferenceId"] as Names,
  locationUuid: location,
  permitNumber: [
    "permitnumber permitno cardnumber kartennummer kartennr numerodecarte numerodetarjeta numerotessera kaartnummer",
    "permit",
  ],
  status: ["subscriptionstatus permitstatus contractstatus vertragsstatus", "status statut estado stato"],
  permitType: [
    "permittype vertragsart typeabonnement tipodeabono tipoabbonamento abonnementsoort",
    "product produkt",
  ],
  numberOfSpaces: [
    "numberofspaces spacecount spaces stellplaetze stellplatze anzahlstellplatze nombredeplaces plazas numerodeplazas posti numeroposti aantalplaatsen plaatsen",
  ],
  startDate: [
    "startdate validfrom gueltigab gultigab vertragsbeginn datedebut datededebut fechainicio fechadeinicio datainizio startdatum ingangsdatum datainicio",
    "from start beginn debut desde inizio",
  ],
  endDate: [
    "enddate validto validuntil expirydate expires gueltigbis gultigbis vertragsende datefin datedefin fechafin fechadefin datafine einddatum datafim",
    "to until end ende fin hasta fine",
  ],
  currentRate: [
    "currentrate monthlyrate monatspreis monatsmiete tarifmensuel cuotamensual canonemensile maandtarief",
    "rate tarif tarifa tariffa tarief",
  ],
};

export const fieldVocabulary: Readonly<Partial<Record<ImportResourceName, Readonly<Record<string, Names>>>>> =
  {
    transactions,
    accounts,
    subscriptions,
  };

/** Columns with full names. */
export const fullNames =
  "customer customername fullname driver drivername cardholder kunde kundenname fahrer client nomduclient nomclient cliente nombrecliente nombredelcliente nomecliente klant klantnaam";

/** Names that other systems use for enumeration values. */
export const enumVocabulary: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    Transient:
      "transient hourly casual shortterm daily visitor drivein kurzparker kurzparken stundenparker horaire occasionnel passager rotacion rotativo horario occasionale orario transito kortparker kortparkeerder rotativos avulso",
    Monthly:
      "monthly permit subscriber subscription season contract dauerparker abonnent abonne mensuel abonado mensual abbonato mensile abonnee abonnementhouder maandelijks mensalista",
    Flex: "flex flexible",
    Reservation:
      "reservation reserved prebooked prebooking booking vorbuchung reservierung vorbucher reserve prereserve reserva reservado prenotazione prenotato reservering gereserveerd",
  },
  status: {
    Active: "active current valid aktiv actif activo attivo actief ativo",
    Suspended: "suspended paused onhold gesperrt pausiert suspendu suspendido sospeso geschorst suspenso",
    Cancelled:
      "cancelled canceled terminated gekuendigt gekundigt storniert resilie annule cancelado annullato opgezegd",
    PendingApproval:
      "pending pendingapproval awaitingapproval beantragt enattente pendiente inattesa inafwachting pendente",
    Expired: "expired abgelaufen expire caducado vencido scaduto verlopen expirado",
  },
  bookingSource: {
    App: "app mobileapp",
    Website: "website web online webseite siteweb sitioweb sitoweb",
    Whitelabel: "whitelabel",
    Text: "text sms texttopay",
    Other: "other sonstige sonstiges autre otro altro overig outro",
  },
};

export const trueWords = "true yes y ja j oui o si s vero wahr vrai verdadero sim waar x";
export const falseWords = "false no n nein non falso falsch faux nee nao onwaar";
/** Words that mean an empty value. */
export const emptyWords = ["n/a", "na", "-", "--", "null", "none", "k.a.", "n.v.t.", "s/o", "nd", "n.d."];

/** Words that distinguish date columns from time columns. */
export const dateWords = ["date", "datum", "fecha", "data", "jour", "tag", "giorno", "dia", "dag"];
export const timeWords = ["time", "uhrzeit", "zeit", "heure", "hora", "ora", "orario", "tijd", "uur"];

/** A header without punctuation, spaces and case. */
export function plainHeader(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^a-z0-9]/g, "");
}
