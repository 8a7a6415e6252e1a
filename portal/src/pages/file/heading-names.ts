const fullName =
  'recipient name, recipient, full name, name, display name, worker, employee name, to, empfänger, vollständiger name, nom complet, destinataire, nombre completo, destinatario, nome completo, destinatário, naam, volledige naam, ontvanger, imię i nazwisko, odbiorca, 名前, 氏名, 受取人, الاسم, الاسم الكامل, المستلم';

/**
 * What a column of a file may mean, with the headings that people give it in the ten languages, and those of Google's,
 * Outlook's and HR systems' files. If a file has two of them, the first of the list is taken. A heading of two meanings is
 * decided by the other headings, or by a person. Workday fills its preferred names for everyone; others do so only for those
 * who have one, so they come last.
 */
export const headingNames = {
  email:
    'email, e-mail, mail, email address, e-mail address, recipient email, work email, work email address, primary work email, email - primary work, work contact: work email, business email, company email, primary email, e-mail 1 - value, home email, personal email, personal contact: personal email, e-mail-adresse, emailadresse, mailadresse, adresse e-mail, adresse email, adresse mail, e-mail professionnel, courriel, correo, correo electrónico, dirección de correo, correo de trabajo, indirizzo email, indirizzo e-mail, email aziendale, endereço de email, endereço de e-mail, e-mailadres, emailadres, werk e-mail, adres e-mail, adres email, メール, メールアドレス, 電子メール, البريد الإلكتروني, البريد, بريد إلكتروني',
  phone:
    'phone, mobile, cell, phone number, mobile number, mobile phone, mobile phone number, cell phone, primary phone, work phone, business phone, phone 1 - value, home phone, personal mobile, personal contact: personal mobile, work contact: work phone, personal contact: home phone, telephone, tel, telefon, telefonnummer, handy, mobil, mobilnummer, mobiltelefon, téléphone, numéro de téléphone, portable, téléphone portable, teléfono, móvil, teléfono móvil, número de teléfono, celular, telefono, cellulare, numero di telefono, telefone, número de telefone, telefoon, telefoonnummer, mobiel, numer telefonu, telefon komórkowy, komórka, 電話, 電話番号, 携帯電話, الهاتف, رقم الهاتف, الجوال',
  amount:
    'amount, value, sum, gift amount, gift value, betrag, wert, summe, montant, valeur, somme, importe, monto, valor, importo, valore, somma, montante, quantia, bedrag, waarde, kwota, wartość, 金額, المبلغ, القيمة',
  category:
    'category, gift, type, product, kategorie, geschenk, catégorie, cadeau, categoría, regalo, categoria, presente, categorie, kategoria, prezent, カテゴリ, カテゴリー, 種類, الفئة',
  recipient_name: fullName,
  name: fullName,
  first_name:
    'preferred name - first name, first name, given name, forename, legal name - first name, legal first name, preferred first name, vorname, prénom, nombre, nombre de pila, nome, primeiro nome, voornaam, imię, 名, الاسم الأول',
  last_name:
    'preferred name - last name, last name, family name, surname, legal name - last name, legal last name, preferred last name, nachname, familienname, nom, nom de famille, apellido, apellidos, cognome, sobrenome, apelido, achternaam, nazwisko, 姓, 苗字, اسم العائلة, الكنية',
  sender_name:
    'sender name, sender, from, absender, von, expéditeur, de la part de, remitente, mittente, remetente, afzender, van, nadawca, 差出人, 送り主, المرسل',
  message:
    'message, note, text, greeting, nachricht, mitteilung, grußtext, gruß, mensaje, nota, messaggio, mensagem, bericht, boodschap, wiadomość, メッセージ, الرسالة, رسالة',
  external_id:
    'external id, reference, ref, employee id, employee #, employee number, employee no, worker id, associate id, staff id, personnel number, person number, order id, id, personalnummer, mitarbeiternummer, mitarbeiter-id, referenz, référence, matricule, numéro d’employé, referencia, número de empleado, id de empleado, riferimento, matricola, codice dipendente, referência, matrícula, referentie, personeelsnummer, numer referencyjny, numer pracownika, 参照番号, 社員番号, 従業員番号, المرجع, الرقم الوظيفي',
  send_at:
    'send at, send on, send date, scheduled for, versand am, sendedatum, senden am, envoyer le, date d’envoi, enviar el, fecha de envío, inviare il, data di invio, enviar em, data de envio, versturen op, verzenddatum, wyślij, data wysyłki, 送信日, 送信日時, تاريخ الإرسال',
  method: 'method, delivery, delivery method, send by, versandart, método, metodo, methode',
  language:
    'language, locale, preferred language, communication language, sprache, korrespondenzsprache, langue, idioma, lingua, taal, język, 言語, اللغة',
  occasion: 'occasion, event, anlass, ocasión, occasione, ocasião, gelegenheid, okazja, 行事, المناسبة',
  years:
    'years, years of service, service years, jahre, dienstjahre, années, années de service, ancienneté, años, años de servicio, antigüedad, anni, anni di servizio, anzianità, anos, anos de serviço, jaren, dienstjaren, lata, staż, 年数, 勤続年数, السنوات',
  tags: 'tags, tag, labels, group membership, group, groups, categories, team, department, organization department, home department description, department description, supervisory organization, schlagwörter, gruppe, abteilung, étiquettes, groupe, équipe, service, département, etiquetas, grupo, equipo, departamento, etichette, gruppo, reparto, equipe, groep, afdeling, tagi, grupa, dział, zespół, タグ, グループ, 部署, 部門, الوسوم, المجموعة, القسم',
  birthday:
    'birthday, date of birth, birth date, birthdate, dob, born, date of birth (locale sensitive), birth date (short), geburtstag, geburtsdatum, anniversaire, date de naissance, cumpleaños, fecha de nacimiento, aniversario, compleanno, data di nascita, aniversário, data de nascimento, verjaardag, geboortedatum, urodziny, data urodzenia, 誕生日, 生年月日, عيد الميلاد, تاريخ الميلاد',
  work_anniversary:
    'work anniversary, start date, hire date, date of hire, most recent hire date, original hire date, employment start date, first day, first day of work, hired, hired on, joined, date joined, joining date, anniversary, eintritt, eintrittsdatum, einstellungsdatum, dienstbeginn, beschäftigt seit, jubiläum, date d’entrée, date d’embauche, date de début, fecha de ingreso, fecha de alta, fecha de contratación, fecha de inicio, aniversario, data di assunzione, data di inizio, data de admissão, data de contratação, data de início, datum indiensttreding, datum in dienst, startdatum, data zatrudnienia, 入社日, 入社年月日, تاريخ التعيين',
  status:
    'status, employment status, worker status, employee status, lifecycle status, position status, active status, beschäftigungsstatus, statut, estado, stato, situação, status zatrudnienia, 在籍状況, الحالة',
  last_day:
    'termination date, last day, last day of work, leaving date, exit date, separation date, end of employment, austrittsdatum, austritt, letzter arbeitstag, date de sortie, date de départ, fecha de baja, fecha de salida, fecha de terminación, data di cessazione, data de desligamento, data de saída, datum uit dienst, datum uitdiensttreding, data zwolnienia, 退職日, 退社日, تاريخ انتهاء الخدمة',
  /** In the address books of people, another day. */
  not_used: 'anniversary',
} as const;

export type HeadingMeaning = Exclude<keyof typeof headingNames, 'not_used'>;
