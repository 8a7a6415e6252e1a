import { createHeadings } from '../file/match-columns.ts';

/** What a column of a file of contacts may mean. */
export const labels = {
  email: 'Email address',
  phone: 'Phone number',
  name: 'Full name',
  first_name: 'First name',
  last_name: 'Last name',
  language: 'Language',
  tags: 'Tags',
  external_id: 'Your reference',
  birthday: 'Birthday',
  work_anniversary: 'First day of work',
  status: 'Status',
  last_day: 'Last day of work',
} as const;

export type ContactColumn = keyof typeof labels;

export const contactHeadings = createHeadings(Object.keys(labels) as ContactColumn[]);

export const isContactColumn = (column: string): column is ContactColumn => Object.hasOwn(labels, column);

export const labelOf = (column: string): string => (isContactColumn(column) ? labels[column] : 'Address');
