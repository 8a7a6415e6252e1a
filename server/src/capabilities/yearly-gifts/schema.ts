import { type Static, Type } from 'typebox';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../platform/api/mask-people.ts';
import { Cents, Name, nameRule, nullable, oneOf, Time } from '../../platform/api/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** rule of yearly gifts */
    rule: true;
  }
}

export const Occasion = oneOf('birthday', 'work_anniversary');
export type Occasion = Static<typeof Occasion>;

export const Mode = oneOf('approval', 'sends');
export type Mode = Static<typeof Mode>;

/** A million; the balance is the other limit. */
const MOST_LIMIT_CENTS = 100_000_000;
const LEAST_LIMIT_CENTS = 1_000;
const MOST_NAME = 60;
const MOST_ZONE = 64;

const line = {
  ...Name,
  maxLength: MOST_NAME,
  'x-rule': nameRule(MOST_NAME),
};

const fields = {
  name: Type.String(line),
  tag: nullable(Type.String({ ...line, description: 'Null: every contact.' })),
  occasion: Occasion,
  template_id: Type.String(),
  time_zone: Type.String({ maxLength: MOST_ZONE, description: 'IANA name, such as Europe/Berlin.' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, 'x-rule': 'must be an hour from 0 to 23' }),
  mode: Mode,
  yearly_limit: nullable(
    Type.Integer({
      minimum: LEAST_LIMIT_CENTS,
      maximum: MOST_LIMIT_CENTS,
      description: 'The most cents in a calendar year; only of a rule that sends.',
      'x-rule': `must be ${LEAST_LIMIT_CENTS} to ${MOST_LIMIT_CENTS} cents`,
    }),
  ),
  is_paused: Type.Boolean(),
};

export const YearlyRuleInput = Type.Object(fields, { additionalProperties: false });
export type YearlyRuleInput = Static<typeof YearlyRuleInput>;

export const YearlyRule = Type.Object(
  {
    ...fields,
    rule_id: Type.String(),
    name: Type.String(),
    tag: nullable(Type.String()),
    time_zone: Type.String(),
    hour: Type.Integer(),
    yearly_limit: nullable(Cents),
    template: Type.String({ description: 'Its name.' }),
    amount: Cents,
    spent_this_year: Cents,
    saved_by: Type.String({ description: 'The admin who saved it last; its orders and requests are theirs.' }),
    is_held: Type.Boolean({
      description: 'Whether that person has left or may no longer save rules, so that nothing is sent.',
    }),
    contacts: Type.Integer({ description: 'Those who have the tag and the day.' }),
    changed_at: Time,
  },
  { $id: 'YearlyRule' },
);
export type YearlyRule = Static<typeof YearlyRule>;

export const YearlyRules = Type.Object({
  data: Type.Array(YearlyRule, { description: 'By their names.' }),
  most: Type.Integer({ description: 'The limit.' }),
});

export const YearlyGiftState = oneOf(
  'coming',
  'requested',
  'waiting',
  'scheduled',
  'ordered',
  'skipped',
  'declined',
  'missed',
  'canceled',
);
export type YearlyGiftState = Static<typeof YearlyGiftState>;

export const YearlyGift = Type.Object(
  {
    rule_id: Type.String(),
    rule: Type.String({ description: 'Its name.' }),
    mode: Mode,
    occasion: Occasion,
    contact_id: Type.String(),
    is_contact: Type.Boolean({ description: 'False if the contact was deleted.' }),
    name: nullable(Type.String(TEXT_OF_PERSON)),
    address: nullable(
      Type.String({ ...ADDRESS_OF_PERSON, description: 'Of the gift, once there is one or a request for it.' }),
    ),
    year: Type.Integer(),
    date: Type.String({ description: 'As YYYY-MM-DD.' }),
    years: nullable(Type.Integer({ description: 'Since the first day; null without its year.' })),
    due_at: Time,
    amount: Cents,
    state: YearlyGiftState,
    reason: nullable(Type.String({ description: 'Why it waits, was missed or canceled.' })),
    gift_id: nullable(Type.String()),
    gift_request_id: nullable(Type.String()),
    needs_settings: Type.Boolean({
      description: 'Whether only a person who changes settings lets the skipped gift come again.',
    }),
  },
  { $id: 'YearlyGift', description: 'A gift that a rule sends, or has sent, in a year.' },
);
export type YearlyGift = Static<typeof YearlyGift>;

const MONTH = '^20[0-9]{2}-(0[1-9]|1[0-2])$';

export const CalendarQuery = Type.Object({
  month: Type.String({ pattern: MONTH, 'x-rule': 'must be a month such as 2027-03' }),
});

export const Calendar = Type.Object({
  data: Type.Array(YearlyGift, { description: 'By their dates.' }),
  total: Type.Integer({ description: 'Gifts that were sent or will be, of which `amount` is the sum.' }),
  amount: Cents,
  left_out: Type.Integer({ description: 'How many gifts `data` lacks: it has the first 500.' }),
});
export type Calendar = Static<typeof Calendar>;

export const SkipInput = Type.Object(
  {
    rule_id: Type.String(),
    contact_id: Type.String(),
    year: Type.Integer({ minimum: 2000, maximum: 2099, 'x-rule': 'must be a year' }),
    is_skipped: Type.Boolean(),
  },
  { additionalProperties: false },
);

export const UnsentOutcome = Type.Object(
  {
    canceled_gifts: Type.Integer({ description: 'Gifts that were ordered and not sent.' }),
    refunded: { ...Cents, description: 'What is back in the balance.' },
    withdrawn_requests: Type.Integer({ description: 'Requests that were open.' }),
    moved: Type.Integer({ description: 'Gifts and requests that have the new address.' }),
  },
  { $id: 'UnsentOutcome', description: 'What a change did to gifts that are not sent.' },
);
export type UnsentOutcome = Static<typeof UnsentOutcome>;

/** Whom a rule would reach after a change. */
export const ChangedRuleQuery = Type.Object({
  next: Type.Optional(oneOf('all', 'tag')),
  tag: Type.Optional(Type.String()),
});

/** Of a change of a contact. */
export const ChoiceQuery = Type.Object({ unsent_gifts: Type.Optional(oneOf('follow', 'cancel', 'keep')) });

export const UnsentQuery = Type.Object({
  unsent_gifts: Type.Optional({
    ...oneOf('cancel', 'keep'),
    description: 'What happens to gifts that are ordered or asked for, and are not sent. By default they are canceled.',
  }),
});
