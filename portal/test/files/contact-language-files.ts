import type { ContactFile } from './contact-file.ts';
import { csv } from './corpus-file.ts';

const ada = 'ada@example.com “Ada Lovelace”';

/** Files of offices in the languages of the portal. */
export const contactLanguageFiles: ContactFile[] = [
  {
    name: 'German, with a column that is not known',
    bytes: csv(
      'Vorname;Nachname;E-Mail-Adresse;Abteilung;Personalnummer;Geburtsdatum;Eintritt;Sprache;Schuhgröße',
      'Ada;Lovelace;ada@example.com;berlin, forschung;117;10.12.1985;1.9.2021;German;38',
    ),
    contacts: [`2 ${ada} de #berlin #forschung ref 117 born 1985-12-10 since 2021-09-01`],
    unused: ['Schuhgröße'],
  },
  {
    name: 'French',
    bytes: csv(
      'Prénom;Nom;Courriel;Service;Matricule;Date de naissance;Date d’embauche',
      'Ada;Lovelace;ada@example.com;Recherche;117;10 déc. 1985;01/09/2021',
      'Bo;Berg;bo@example.com;Recherche;118;11 août;13/09/2021',
    ),
    contacts: [
      `2 ${ada} #Recherche ref 117 born 1985-12-10 since 2021-09-01`,
      '3 bo@example.com “Bo Berg” #Recherche ref 118 born 08-11 since 2021-09-13',
    ],
  },
  {
    name: 'Spanish, whose Aniversario is in the firm',
    bytes: csv(
      'Correo electrónico;Nombre;Apellidos;Aniversario;Cumpleaños',
      'ada@example.com;Ada;Lovelace;1/9/2021;13/12/1985',
    ),
    contacts: [`2 ${ada} born 1985-12-13 since 2021-09-01`],
  },
  {
    name: 'Aniversario alone',
    bytes: csv('Correo electrónico;Nombre;Aniversario', 'ada@example.com;Ada;13/9/2021'),
    asks: /Say what “Aniversario” means/,
  },
  {
    name: 'Aniversario alone, as a person says',
    bytes: csv('Correo electrónico;Nombre;Aniversario', 'ada@example.com;Ada;13/9/2021'),
    answers: { meant: { 2: 'work_anniversary' } },
    contacts: ['2 ada@example.com “Ada” since 2021-09-13'],
  },
  {
    name: 'Portuguese, whose Aniversário is the birthday',
    bytes: csv('E-mail;Nome completo;Aniversário', 'ada@example.com;Ada Lovelace;13/12/1985'),
    contacts: [`2 ${ada} born 1985-12-13`],
  },
  {
    name: 'Portuguese without accents, decided by the other day',
    bytes: csv('E-mail;Nome completo;Aniversario;Data de admissao', 'ada@example.com;Ada Lovelace;13/12/1985;1/9/2021'),
    contacts: [`2 ${ada} born 1985-12-13 since 2021-09-01`],
  },
  {
    name: 'Italian',
    bytes: csv(
      'Nome;Cognome;Indirizzo email;Reparto;Matricola;Data di nascita;Data di assunzione',
      'Ada;Lovelace;ada@example.com;Ricerca;117;13/12/1985;01/09/2021',
    ),
    contacts: [`2 ${ada} #Ricerca ref 117 born 1985-12-13 since 2021-09-01`],
  },
  {
    name: 'Dutch',
    bytes: csv(
      'Voornaam;Achternaam;E-mailadres;Afdeling;Personeelsnummer;Geboortedatum;Datum in dienst',
      'Ada;Lovelace;ada@example.com;Onderzoek;117;13-12-1985;01-09-2021',
    ),
    contacts: [`2 ${ada} #Onderzoek ref 117 born 1985-12-13 since 2021-09-01`],
  },
  {
    name: 'Polish',
    bytes: csv(
      'Imię;Nazwisko;Adres e-mail;Dział;Data urodzenia;Data zatrudnienia',
      'Ada;Lovelace;ada@example.com;Badania;10 grudnia 1985;2021-09-01',
    ),
    contacts: [`2 ${ada} #Badania born 1985-12-10 since 2021-09-01`],
  },
  {
    name: 'Japanese',
    bytes: csv(
      '氏名,メールアドレス,部署,社員番号,生年月日,入社日',
      '山田太郎,taro@example.com,開発部,117,1985年12月10日,2021/09/01',
    ),
    contacts: ['2 taro@example.com “山田太郎” #開発部 ref 117 born 1985-12-10 since 2021-09-01'],
  },
  {
    name: 'Arabic',
    bytes: csv('الاسم,البريد الإلكتروني,القسم,تاريخ الميلاد', 'آدا,ada@example.com,البحث,10 ديسمبر 1985'),
    contacts: ['2 ada@example.com “آدا” #البحث born 1985-12-10'],
  },
];
