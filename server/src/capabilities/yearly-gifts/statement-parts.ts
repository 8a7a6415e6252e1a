// Parts of statements about yearly gifts.

/** The contact's day of the rule's occasion: `YYYY-MM-DD` or `MM-DD`. */
export const dayOf = (occasion: string, contact = 'c'): string =>
  `case ${occasion} when 'birthday' then ${contact}.birthday else ${contact}.work_anniversary end`;

/** Whether a contact has the rule's tag. */
export const hasTag = (tag: string): string => `(${tag}::text is null or c.tags @> array[${tag}::text])`;

/** Whether the date is a later year of the day: the day itself, if its year is known, is none. */
export const isLaterYear = (day: string, date: string): string =>
  `(length(${day}) = 5 or left(${day}, 4)::integer < extract(year from ${date}::date))`;

/** Whether the day is on the date; 29 February is on 28 February in other years. */
const isOnDate = (day: string, date: string): string =>
  `(right(${day}, 5) = to_char(${date}, 'MM-DD')
     or right(${day}, 5) = '02-29' and to_char(${date}, 'MM-DD') = '02-28' and to_char(${date} + 1, 'MM') = '03')`;

/** Whether the contact `c` has the tag of the rule `r`, and its day on the date. */
export const isMeantFor = (date: string): string =>
  `(${hasTag('r.tag')} and ${isOnDate(dayOf('r.occasion'), date)} is true)`;

/**
 * SQL: forgets gifts that were neither asked for nor bought. One with earlier attempts keeps their number, so that no key is
 * used twice.
 *
 * @param gifts condition on `yearly_gifts g`
 */
export const forget = (gifts: string): string =>
  `with deleted as (
     delete from yearly_gifts g where ${gifts} and g.attempt = 0
   )
   update yearly_gifts g set state = 'canceled', reason = null, next_try_at = null where ${gifts} and g.attempt > 0`;
