import { plainHeading } from 'bestow-readers/table.ts';

/** What a column of a file may mean, with the headings that people give it in the ten languages. */
export const columns = {
  email: {
    label: 'Email address',
    names:
      'email, e-mail, mail, email address, e-mail address, recipient email, work email, business email, company email, e-mail-adresse, emailadresse, mailadresse, adresse e-mail, adresse email, adresse mail, courriel, correo, correo electrónico, dirección de correo, indirizzo email, indirizzo e-mail, endereço de email, endereço de e-mail, e-mailadres, emailadres, adres e-mail, adres email, メール, メールアドレス, 電子メール, البريد الإلكتروني, البريد, بريد إلكتروني',
  },
  phone: {
    label: 'Phone number',
    names:
      'phone, mobile, cell, phone number, mobile number, telephone, tel, telefon, telefonnummer, handy, mobil, mobilnummer, téléphone, numéro de téléphone, portable, teléfono, móvil, número de teléfono, celular, telefono, cellulare, numero di telefono, telefone, número de telefone, telefoon, telefoonnummer, mobiel, numer telefonu, komórka, 電話, 電話番号, 携帯電話, الهاتف, رقم الهاتف, الجوال',
  },
  amount: {
    label: 'Amount',
    names:
      'amount, value, sum, gift amount, gift value, betrag, wert, summe, montant, valeur, somme, importe, monto, valor, importo, valore, somma, montante, quantia, bedrag, waarde, kwota, wartość, 金額, المبلغ, القيمة',
  },
  category: {
    label: 'Category',
    names:
      'category, gift, type, product, kategorie, geschenk, catégorie, cadeau, categoría, regalo, categoria, presente, categorie, kategoria, prezent, カテゴリ, カテゴリー, 種類, الفئة',
  },
  recipient_name: {
    label: 'Recipient’s full name',
    names:
      'recipient name, recipient, name, full name, to, empfänger, vollständiger name, nom complet, destinataire, nombre completo, destinatario, nome completo, destinatário, naam, volledige naam, ontvanger, imię i nazwisko, odbiorca, 名前, 氏名, 受取人, الاسم, الاسم الكامل, المستلم',
  },
  first_name: {
    label: 'First name',
    names:
      'first name, given name, forename, vorname, prénom, nombre, nombre de pila, nome, primeiro nome, voornaam, imię, 名, الاسم الأول',
  },
  last_name: {
    label: 'Last name',
    names:
      'last name, family name, surname, nachname, familienname, nom, nom de famille, apellido, apellidos, cognome, sobrenome, apelido, achternaam, nazwisko, 姓, 苗字, اسم العائلة, الكنية',
  },
  sender_name: {
    label: 'Sender',
    names:
      'sender name, sender, from, absender, von, expéditeur, de la part de, remitente, mittente, remetente, afzender, van, nadawca, 差出人, 送り主, المرسل',
  },
  message: {
    label: 'Message',
    names:
      'message, note, text, greeting, nachricht, mitteilung, grußtext, gruß, mensaje, nota, messaggio, mensagem, bericht, boodschap, wiadomość, メッセージ, الرسالة, رسالة',
  },
  external_id: {
    label: 'Your reference',
    names:
      'external id, reference, ref, id, employee id, order id, personalnummer, referenz, référence, matricule, referencia, riferimento, matricola, referência, referentie, personeelsnummer, numer referencyjny, 参照番号, 社員番号, المرجع',
  },
  send_at: {
    label: 'Send at',
    names:
      'send at, send on, send date, scheduled for, versand am, sendedatum, senden am, envoyer le, date d’envoi, enviar el, fecha de envío, inviare il, data di invio, enviar em, data de envio, versturen op, verzenddatum, wyślij, data wysyłki, 送信日, 送信日時, تاريخ الإرسال',
  },
  method: { label: 'Method', names: 'method, delivery, delivery method, send by, versandart, método, metodo, methode' },
} as const;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];

const meanings = new Map<string, ColumnName>();
for (const name of columnNames)
  for (const heading of columns[name].names.split(', ')) {
    const plain = plainHeading(heading);
    if (!meanings.has(plain)) meanings.set(plain, name);
  }

const meaningOf = (heading: string) => meanings.get(plainHeading(heading));

/** As `plainHeading` makes them. */
export const knownHeadings: readonly string[] = [...meanings.keys()];

export const isKnownHeading = (heading: string): boolean => meaningOf(heading) !== undefined;

/** The column of the file for each meaning; undefined if the file has none. */
export type Matching = Partial<Record<ColumnName, number>>;

/** Matches the file's headings by their names; each column once. */
export function matchColumns(headings: readonly string[]): Matching {
  const matching: Matching = {};
  for (const [index, heading] of headings.entries()) {
    const name = meaningOf(heading);
    if (name !== undefined) matching[name] ??= index;
  }
  const { recipient_name, first_name, last_name } = matching;
  if (first_name === undefined || recipient_name === undefined) return matching;
  const { recipient_name: _, ...others } = matching;
  // “Name” beside “First name” is the last name. Both parts together say more than a third column.
  if (last_name !== undefined) return others;
  return plainHeading(headings[recipient_name] ?? '') === 'name' ? { ...others, last_name: recipient_name } : matching;
}

/** Headings of columns that have content and no meaning. */
export function unusedHeadings(
  headings: readonly string[],
  lines: readonly { cells: readonly string[] }[],
  matching: Matching,
): string[] {
  const used = new Set(Object.values(matching));
  return headings.flatMap((heading, index) =>
    !used.has(index) && lines.some(({ cells }) => (cells[index] ?? '').trim() !== '')
      ? [heading || `Column ${index + 1}`]
      : [],
  );
}
