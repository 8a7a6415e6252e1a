/** What happens to a gift in the month, as far as there is time for it. */
export type Fate =
  | 'unopened'
  | 'opened'
  | 'claimed'
  | 'partly spent'
  | 'spent'
  | 'thanked'
  | 'declined'
  | 'bounced'
  | 'resent'
  | 'canceled';

/** The fates of gifts by their number; the length shares no factor with those of the tables below. */
export const fates: readonly Fate[] = [
  'spent',
  'opened',
  'thanked',
  'partly spent',
  'bounced',
  'claimed',
  'unopened',
  'spent',
  'opened',
  'resent',
  'spent',
  'thanked',
  'partly spent',
  'canceled',
  'claimed',
  'opened',
  'spent',
  'declined',
  'unopened',
  'partly spent',
  'spent',
  'claimed',
  'opened',
];

/** Names of people who are known; their addresses do not exist. */
export const people = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Annie Easley',
  'Claude Shannon',
  'Radia Perlman',
  'John Backus',
  'Hedy Lamarr',
  'Niklaus Wirth',
] as const;

const domains = ['acme.example', 'harbour.example', 'north.example', 'studio.example', 'mill.example'] as const;

export const categories = ['coffee', 'books', 'dining', 'groceries'] as const;

export const amountsCents = [2_500, 5_000, 1_500, 10_000, 7_500, 3_000, 2_000] as const;

export const messages = [
  'Thank you for the late evenings before the launch. It was worth it!',
  'Welcome to the team. Have a good first week.',
  'Ten years with us: congratulations, and here is to the next ten.',
  'Your talk made the whole conference. Thank you.',
  'Happy birthday! Take an hour for yourself.',
] as const;

export const thanks = [
  'What a lovely surprise, thank you!',
  'This made my week. I will think of you with every cup.',
  'Thank you so much. The children have already chosen a book.',
] as const;

export const merchants = [
  'Corner Roastery',
  'Rail and Ferry',
  'Old Town Books',
  'Green Market',
  'Bistro Nine',
] as const;

export const bounceReasons = [
  'The mailbox does not exist.',
  'The mailbox is full.',
  'The server refuses mail for this address.',
] as const;

export const cancelReasons = ['Ordered twice', 'The event was postponed', 'Sent to the wrong colleague'] as const;

export const teams = ['sales', 'people', 'support'] as const;

/** The element of this number, beginning again at the end. */
export const pick = <Item>(items: readonly Item[], number: number): Item => items[number % items.length] as Item;

/** An address of this person, which never resolves (RFC 2606). */
export const emailOf = (name: string, number: number): string =>
  `${name.toLowerCase().replace(' ', '.')}@${pick(domains, number)}`;

const FIRST_PHONE = 111;
const PHONES = 89;

/** Numbers for fiction. The first eleven steer gifts of the sandbox. */
export const phoneOf = (number: number): string => `+12025550${FIRST_PHONE + (number % PHONES)}`;
