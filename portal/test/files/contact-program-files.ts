import { xlsxOf } from '../harness/xlsx.ts';
import type { ContactFile } from './contact-file.ts';
import { csv } from './corpus-file.ts';

/** The columns with content, and the others that the program writes too. */
const wide = (headings: string, rows: string[], empty: string) =>
  csv(`${headings},${empty}`, ...rows.map((row) => `${row}${','.repeat(empty.split(',').length)}`));

const outlookEmpty =
  'Anniversary,Children,Spouse,Business Street,Home Street,Company Main Phone,Pager,Notes,Priority,Sensitivity,Web Page';

/** Exports of address books and HR systems, with the column names of their public documentation. */
export const contactProgramFiles: ContactFile[] = [
  {
    name: 'Google Contacts',
    bytes: wide(
      'First Name,Middle Name,Last Name,Organization Department,Birthday,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value',
      [
        'Ada,,Lovelace,Research,1985-12-10,* myContacts ::: Team,* Work,ada@example.com,Mobile,+1 202 555 0142',
        'Bo,,Berg,, --12-11,* myContacts,,,Mobile,+1 202 555 0143',
        'Cy,,Cole,,,Friends ::: * starred,* Work,cy@example.com ::: cole@example.com,,',
      ],
      'Name Prefix,Name Suffix,Nickname,File As,Notes,Photo,Address 1 - Formatted,Website 1 - Value',
    ),
    contacts: [
      '2 ada@example.com “Ada Lovelace” #Team born 1985-12-10',
      '3 +1 202 555 0143 “Bo Berg” born 12-11',
      '4 cy@example.com “Cy Cole” #Friends',
    ],
    unused: ['Organization Department', 'E-mail 1 - Label', 'Phone 1 - Label'],
  },
  {
    name: 'Google Contacts, as it was until 2024',
    bytes: csv(
      'Name,Given Name,Additional Name,Family Name,Birthday,Group Membership,E-mail 1 - Type,E-mail 1 - Value',
      'Ada Lovelace,Ada,,Lovelace,1985-12-10,* myContacts,* Work,ada@example.com',
    ),
    contacts: ['2 ada@example.com “Ada Lovelace” born 1985-12-10'],
    unused: ['Name', 'E-mail 1 - Type'],
  },
  {
    name: 'Outlook',
    bytes: wide(
      'Title,First Name,Middle Name,Last Name,Company,Department,Mobile Phone,Birthday,Categories,E-mail Address,E-mail Type,Language',
      [
        'Ms,Ada,,Lovelace,Acme,Research,,12/13/1985,,ada@example.com,SMTP,',
        ',Bo,,Berg,Acme,,+1 202 555 0143,0/0/00,,,,',
      ],
      outlookEmpty,
    ),
    contacts: ['2 ada@example.com “Ada Lovelace” #Research born 1985-12-13', '3 +1 202 555 0143 “Bo Berg”'],
    unused: ['Title', 'Company', 'E-mail Type'],
  },
  {
    name: 'Outlook with the wedding days of people',
    bytes: csv('First Name,E-mail Address,Birthday,Anniversary', 'Ada,ada@example.com,12/13/1985,6/20/2010'),
    asks: /Say what “Anniversary” means/,
  },
  {
    name: 'Outlook with the wedding days of people, not used',
    bytes: csv('First Name,E-mail Address,Birthday,Anniversary', 'Ada,ada@example.com,12/13/1985,6/20/2010'),
    answers: { meant: { 3: 'not used' } },
    contacts: ['2 ada@example.com “Ada” born 1985-12-13'],
    unused: ['Anniversary'],
  },
  {
    name: 'Apple, whose days without a year are of 1604',
    bytes: csv('First name,Last name,Email,Birthday', 'Ada,Lovelace,ada@example.com,1604-12-10'),
    contacts: ['2 ada@example.com “Ada Lovelace” born 12-10'],
  },
  {
    name: 'BambooHR',
    bytes: csv(
      'Employee #,First Name,Last Name,Birth Date,Hire Date,Termination Date,Status,Department,Job Title,Mobile Phone,Home Email,Work Email',
      '117,Ada,Lovelace,1985-12-10,2021-09-01,0000-00-00,Active,Research,Engineer,,ada@home.example,ada@example.com',
      '118,Bo,Berg,1985-12-11,2021-09-01,2022-03-31,Inactive,Research,Engineer,,bo@home.example,',
      '119,Cy,Cole,1985-12-12,2021-09-01,9999-12-31,Active,Research,Engineer,,,cy@example.com',
    ),
    left: [3],
    contacts: [
      '2 ada@example.com “Ada Lovelace” #Research ref 117 born 1985-12-10 since 2021-09-01',
      '4 cy@example.com “Cy Cole” #Research ref 119 born 1985-12-12 since 2021-09-01',
    ],
    unused: ['Job Title', 'Home Email'],
  },
  {
    name: 'Personio in English',
    bytes: xlsxOf([
      ['Employee ID', 'First name', 'Last name', 'Email', 'Position', 'Department', 'Hire date', 'Date of birth'],
      ['117', 'Ada', 'Lovelace', 'ada@example.com', 'Engineer', 'Research', '01.09.2021', '10.12.1985'],
    ]),
    contacts: ['2 ada@example.com “Ada Lovelace” #Research ref 117 born 1985-12-10 since 2021-09-01'],
    unused: ['Position'],
  },
  {
    name: 'Personio in German',
    bytes: xlsxOf([
      ['Personalnummer', 'Vorname', 'Nachname', 'E-Mail', 'Abteilung', 'Einstellungsdatum', 'Geburtsdatum'],
      ['117', 'Ada', 'Lovelace', 'ada@example.com', 'Forschung', '01.09.2021', '10.12.1985'],
    ]),
    contacts: ['2 ada@example.com “Ada Lovelace” #Forschung ref 117 born 1985-12-10 since 2021-09-01'],
  },
  {
    name: 'HiBob',
    bytes: csv(
      'Display name,First name,Last name,Email,Employee ID,Site,Department,Start date,Date of birth',
      'Ada L.,Ada,Lovelace,ada@example.com,117,Berlin,Research,01/09/2021,13/12/1985',
    ),
    contacts: ['2 ada@example.com “Ada Lovelace” #Research ref 117 born 1985-12-13 since 2021-09-01'],
    unused: ['Display name', 'Site'],
  },
  {
    name: 'Workday',
    bytes: csv(
      'Employee ID,Worker,Legal Name - First Name,Legal Name - Last Name,Email - Primary Work,Date of Birth,Original Hire Date,Hire Date,Supervisory Organization,Preferred Language,Worker Status',
      '117,Ada Lovelace,Ada,Lovelace,ada@example.com,12/13/1985,03/15/2015,09/01/2021,Research,English (United States),Active',
      '118,Bo Berg,Bo,Berg,bo@example.com,,,,,Svenska,Terminated',
    ),
    left: [3],
    contacts: ['2 ada@example.com “Ada Lovelace” en #Research ref 117 born 1985-12-13 since 2021-09-01'],
    unused: ['Worker', 'Original Hire Date'],
  },
  {
    name: 'ADP',
    bytes: csv(
      'Associate ID,Legal First Name,Legal Last Name,Work Contact: Work Email,Personal Contact: Personal Mobile,Birth Date,Hire Date,Home Department Description',
      'A117,Ada,Lovelace,ada@example.com,(202) 555-0142,12/13/1985,09/01/2021,Research',
    ),
    contacts: ['2 ada@example.com “Ada Lovelace” #Research ref A117 born 1985-12-13 since 2021-09-01'],
  },
  {
    name: 'Gusto',
    bytes: csv(
      'First name,Last name,Work email,Personal email,Start date,Date of birth,Department',
      'Ada,Lovelace,ada@example.com,ada@home.example,09/01/2021,12/13/1985,Research',
    ),
    contacts: ['2 ada@example.com “Ada Lovelace” #Research born 1985-12-13 since 2021-09-01'],
    unused: ['Personal email'],
  },
  {
    name: 'Workday with names as a report shows them',
    bytes: csv(
      'Worker,Employee ID,Preferred Name - First Name,Preferred Name - Last Name,Email - Primary Work,Date of Birth (Locale Sensitive),(Most Recent) Hire Date',
      'Alice Adams (10001),10001,Alice,Adams,alice@example.com,12/13/1985,09/01/2021',
      'Bob (On Leave),10002,Bob,Berg,bob@example.com,,',
    ),
    contacts: [
      '2 alice@example.com “Alice Adams” ref 10001 born 1985-12-13 since 2021-09-01',
      '3 bob@example.com “Bob Berg” ref 10002',
    ],
    unused: ['Worker'],
  },
  {
    name: 'Workday with legal and preferred names',
    bytes: csv(
      'Legal Name - First Name,Legal Name - Last Name,Preferred Name - First Name,Preferred Name - Last Name,Email - Primary Work',
      'Alice,Adams,Ali,Adams-Berg,alice@example.com',
    ),
    contacts: ['2 alice@example.com “Ali Adams-Berg”'],
    unused: ['Legal Name - First Name', 'Legal Name - Last Name'],
  },
  {
    name: 'HiBob without years of birth',
    bytes: csv(
      'Display name,First name,Last name,Email,Employee ID,Start date,Birth date (short)',
      'Ada L. (she),Ada,Lovelace,ada@example.com,117,2021-09-01,12-13',
    ),
    contacts: ['2 ada@example.com “Ada Lovelace” ref 117 born 12-13 since 2021-09-01'],
    unused: ['Display name'],
  },
  {
    name: 'HiBob with both birthdays',
    bytes: csv('Full name,Email,Birth date (short),Birth date', 'Ada Lovelace,ada@example.com,12-13,1985-12-13'),
    contacts: ['2 ada@example.com “Ada Lovelace” born 1985-12-13'],
    unused: ['Birth date (short)'],
  },
  {
    name: 'ADP with the groups of its reports',
    bytes: csv(
      'Associate ID,Payroll Name (Personal Profile),Legal First Name (Personal Profile),Legal Last Name (Personal Profile),Preferred First Name (Personal Profile),Work Contact: Work Email (Personal Profile),Birth Date (Personal Profile),Hire Date (Employment Profile),Position Status (Employment Profile)',
      'A117,"Lovelace, Ada",Ada,Lovelace,,ada@example.com,12/13/1985,09/01/2021,Active',
      'A118,"Berg, Bo",Bo,Berg,B,bo@example.com,12/14/1985,09/01/2021,Terminated',
    ),
    left: [3],
    contacts: ['2 ada@example.com “Ada Lovelace” ref A117 born 1985-12-13 since 2021-09-01'],
    unused: ['Payroll Name (Personal Profile)', 'Preferred First Name (Personal Profile)'],
  },
  {
    name: 'Gusto with the first names that some prefer',
    bytes: csv(
      'First name,Preferred first name,Last name,Work email',
      'Ada,,Lovelace,ada@example.com',
      'Robert,Bob,Berg,bob@example.com',
    ),
    contacts: ['2 ada@example.com “Ada Lovelace”', '3 bob@example.com “Robert Berg”'],
    unused: ['Preferred first name'],
  },
  {
    name: 'Personio with the end of employment',
    bytes: csv(
      'First name,Last name,Email,Birthday,Hire date,End of employment',
      'Ada,Lovelace,ada@example.com,10.12.1985,01.09.2021,31.03.2022',
      'Bo,Berg,bo@example.com,11.12.1985,01.09.2021,',
    ),
    left: [2],
    contacts: ['3 bo@example.com “Bo Berg” born 1985-12-11 since 2021-09-01'],
  },
];
