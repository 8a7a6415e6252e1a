import { plainHeading } from 'bestow-readers/table.ts';
import { columns as giftColumns } from '../many/headings.ts';

/** What a column of a file of contacts may mean, with the headings that people give it in the ten languages. */
const columns = {
  email: giftColumns.email,
  phone: giftColumns.phone,
  name: { label: 'Name', names: giftColumns.recipient_name.names },
  first_name: giftColumns.first_name,
  last_name: giftColumns.last_name,
  language: {
    label: 'Language',
    names: 'language, locale, sprache, langue, idioma, lingua, taal, język, 言語, اللغة',
  },
  tags: {
    label: 'Tags',
    names:
      'tags, tag, group, groups, team, department, labels, schlagwörter, gruppe, abteilung, étiquettes, groupe, équipe, etiquetas, grupo, equipo, etichette, gruppo, equipe, groep, afdeling, tagi, grupa, dział, タグ, グループ, 部署, الوسوم, المجموعة, القسم',
  },
  external_id: giftColumns.external_id,
  birthday: {
    label: 'Birthday',
    names:
      'birthday, date of birth, birth date, birthdate, born, geburtstag, geburtsdatum, anniversaire, date de naissance, cumpleaños, fecha de nacimiento, compleanno, data di nascita, aniversário, data de nascimento, verjaardag, geboortedatum, urodziny, data urodzenia, 誕生日, 生年月日, عيد الميلاد, تاريخ الميلاد',
  },
  work_anniversary: {
    label: 'First day of work',
    names:
      'work anniversary, start date, first day, first day of work, hire date, hired, joined, anniversary, eintritt, eintrittsdatum, dienstbeginn, jubiläum, date d’entrée, date d’embauche, fecha de ingreso, fecha de alta, data di assunzione, data de admissão, data de contratação, datum indiensttreding, startdatum, data zatrudnienia, 入社日, تاريخ التعيين',
  },
} as const;

export type ContactColumn = keyof typeof columns;

export const labelOf = (column: string): string =>
  Object.hasOwn(columns, column) ? columns[column as ContactColumn].label : 'Address';

const meanings = new Map<string, ContactColumn>();
for (const column of Object.keys(columns) as ContactColumn[])
  for (const heading of columns[column].names.split(', ')) {
    const plain = plainHeading(heading);
    if (!meanings.has(plain)) meanings.set(plain, column);
  }

export const columnOf = (heading: string): ContactColumn | undefined => meanings.get(plainHeading(heading));
