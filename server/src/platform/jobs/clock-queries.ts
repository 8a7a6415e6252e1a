import { statementOfNone } from '../database/statement.ts';

/** Dates and counts of the server itself, whose clock is another machine's. */
export const selectTime = statementOfNone<[], { now: Date }>('clocks.select_time', 'select clock_timestamp() as now');

/** Also removes the rows of processes that were killed. */
export const noteOffset = statementOfNone<[process: string, offsetMs: number]>(
  'clocks.note',
  `with gone as (
     delete from process_clocks
     where process <> $1
       and looked_at not between clock_timestamp() - interval '1 hour' and clock_timestamp() + interval '1 minute'
   )
   insert into process_clocks (process, offset_ms, looked_at) values ($1, $2, clock_timestamp())
   on conflict (process) do update set offset_ms = excluded.offset_ms, looked_at = excluded.looked_at`,
);

export const forgetProcess = statementOfNone<[process: string]>(
  'clocks.forget',
  'delete from process_clocks where process = $1',
);

export interface ProcessClock {
  /** The machine and the process's id. */
  process: string;
  /** Positive: ahead of the server's clock. */
  offset_ms: number;
}

/** The processes that looked in the last three minutes. */
export const selectOffsets = statementOfNone<[], ProcessClock>(
  'clocks.select_offsets',
  `select process, offset_ms from process_clocks
   where looked_at between clock_timestamp() - interval '3 minutes' and clock_timestamp() + interval '1 minute'
   order by process`,
);

interface StepRow {
  now: Date;
  /** Null before the first. */
  done_until: Date | null;
  is_taken: boolean;
}

/**
 * Moves the work by the clock on to a time that is the server's too, by at most so much.
 *
 * @param mostOffsetMs how far the time may be from the server's
 * @param mostLeapMs how far the work may be moved on
 */
export const takeStep = statementOfNone<[now: Date, mostOffsetMs: number, mostLeapMs: number], StepRow>(
  'clocks.take_step',
  `with before as (
     select done_until from clock_work
   ), taken as (
     insert into clock_work (done_until)
     select $1 where $1 between clock_timestamp() - $2 * interval '1 millisecond' and clock_timestamp() + $2 * interval '1 millisecond'
     on conflict (is_only) do update set done_until = greatest(clock_work.done_until, excluded.done_until)
     where excluded.done_until between clock_work.done_until - $2 * interval '1 millisecond'
       and clock_work.done_until + $3 * interval '1 millisecond'
     returning done_until
   )
   select clock_timestamp() as now, (select done_until from before) as done_until, exists (select from taken) as is_taken`,
);

export const selectClockWork = statementOfNone<[], { now: Date; done_until: Date | null }>(
  'clocks.select_work',
  'select clock_timestamp() as now, (select done_until from clock_work) as done_until',
);

/** By a person's word, and by the server's clock. */
export const acceptTime = statementOfNone<[], { done_until: Date }>(
  'clocks.accept',
  `insert into clock_work (done_until) values (clock_timestamp())
   on conflict (is_only) do update set done_until = excluded.done_until returning done_until`,
);
