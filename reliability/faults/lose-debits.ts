import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { openRig } from './rig.ts';

const LOAD_MS = 5_000;

/** What a careless change might do: one debit in five is not written down. */
const LOSE_DEBITS = `
  create function lose_a_debit() returns trigger language plpgsql as $$
  begin
    return case when new.kind = 'order' and get_byte(uuid_send(new.entry_id), 15) % 5 = 0 then null else new end;
  end $$;
  create trigger lose_a_debit before insert on ledger_entries for each row execute function lose_a_debit()`;

export const loseDebits: Fault = {
  name: 'control-lost-debits',
  summary: 'Positive control: one debit in five is lost on purpose, and the checker must say so.',
  issueCount: 1,
  shortCount: 1,
  async run({ random }) {
    const rig = await openRig({ random });
    try {
      const server = await rig.startServer();
      await rig.sql(LOSE_DEBITS);
      const load = rig.startLoad({ urls: [server.url], only: ['placeOrder', 'replay'], steers: false });
      await sleep(LOAD_MS);
      await load.stop();
      const found = new Set((await rig.check(server.url)).map(({ invariant }) => invariant));
      const missed = (['I1', 'I2'] as const).filter((invariant) => !found.has(invariant));
      const failures = missed.map((invariant) => `Debits were lost, and ${invariant} was said to hold.`);
      const notes = [`found, as it must be: ${[...found].join(', ')}`];
      return { count: 1, violations: [], failures, recoveriesMs: [], notes };
    } finally {
      await rig.close();
    }
  },
};
