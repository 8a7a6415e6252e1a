interface BuiltInCategory {
  id: string;
  name: string;
  /** One or two short sentences on whom it suits. */
  description: string;
  /** A path of this service. */
  artwork: string;
  details: {
    introduction: string;
    suits: readonly string[];
  };
}

/** The catalog of a new installation. The operator can change, retire and add categories. */
export const builtInCategories: readonly BuiltInCategory[] = [
  {
    id: 'coffee',
    name: 'Coffee',
    description: 'For people whose day starts with a good cup. Suits colleagues, clients and early risers.',
    artwork: '/artwork/coffee.svg',
    details: {
      introduction: 'A good cup, a quiet corner and ten minutes to yourself: a small gift that is always welcome.',
      suits: ['A thank-you that is never too much', 'A team that works in many places', 'The first day in a new job'],
    },
  },
  {
    id: 'dining',
    name: 'Dining',
    description: 'For people who love a good table. Suits couples, families and everyone with something to celebrate.',
    artwork: '/artwork/dining.svg',
    details: {
      introduction: 'An evening with nothing to cook and nothing to wash up, in the company they choose.',
      suits: ['Anniversaries and promotions', 'A client after a long project', 'New parents who need a night out'],
    },
  },
  {
    id: 'groceries',
    name: 'Groceries',
    description: 'For everyone who keeps a kitchen. Suits families, students and people you want to help in earnest.',
    artwork: '/artwork/groceries.svg',
    details: {
      introduction: 'Fresh bread, good fruit and a full fridge: the most practical gift there is.',
      suits: ['Families with many mouths to feed', 'Students in their first home', 'A helping hand in a hard month'],
    },
  },
  {
    id: 'books',
    name: 'Books',
    description:
      'For readers of every kind and age. Suits the curious, and those whose taste you would not dare to guess.',
    artwork: '/artwork/books.svg',
    details: {
      introduction: 'The novel everyone talks about, or one that few people know: the reader decides.',
      suits: [
        'Teachers, mentors and speakers',
        'Children who have just begun to read',
        'A long holiday, or a long winter',
      ],
    },
  },
  {
    id: 'travel',
    name: 'Travel',
    description: 'For people who have somewhere to go. Suits big birthdays, farewells and a well-earned break.',
    artwork: '/artwork/travel.svg',
    details: {
      introduction: 'A weekend by the sea, or the first step of a long way: a gift to look forward to.',
      suits: ['Retirements and farewells', 'Honeymoons and round birthdays', 'A reward for a great year'],
    },
  },
  {
    id: 'fashion',
    name: 'Fashion',
    description: 'For people with their own style. Suits birthdays, graduations and everyone who likes to choose.',
    artwork: '/artwork/fashion.svg',
    details: {
      introduction: 'Something new to wear, in the right size and the right colour, because they pick it themselves.',
      suits: ['Birthdays at any age', 'A suit for the first interview', 'Friends who have everything but a new coat'],
    },
  },
  {
    id: 'home',
    name: 'Home',
    description: 'For people who are settling in. Suits weddings, new homes and everyone who loves where they live.',
    artwork: '/artwork/home.svg',
    details: {
      introduction: 'A lamp, a plant or a proper armchair: something that stays, and keeps you in mind.',
      suits: ['Weddings and first homes', 'A colleague who now works from home', 'Hosts who took you in'],
    },
  },
  {
    id: 'wellness',
    name: 'Wellness',
    description: 'For people who look after everyone else. Suits new parents, carers and teams after a busy season.',
    artwork: '/artwork/wellness.svg',
    details: {
      introduction: 'An hour with nothing to do: a gift of rest, taken whenever it is needed.',
      suits: [
        'New parents and carers',
        'A team that has just crossed the finish line',
        'Anyone who says they have no time',
      ],
    },
  },
];
