-- Members and teams have limits for a day, for one recipient's day, and for a month.
alter type spending_period add value if not exists 'month';
