import { residentMb } from '../../../bench/processor.ts';
import { keepTo, processors } from '../../processors.ts';
import { findBrokenTables } from '../find-broken-tables.ts';
import type { Suite } from '../suite.ts';
import { startOwnProcess } from './own-process.ts';
import { trySlowClients } from './slow-clients.ts';

/** What the process may hold for each slow client, and beside them. */
const MB_EACH = 0.6;
const MB_BESIDE = 300;

const MEASURED_SECONDS = 20;
const FLOOR_MS = 20;

/** Clients that are slow to send or to read, beside good ones, against a service in a process of its own. */
export const slowClients: Suite = {
  name: 'slow',
  counts: { whole: 2_000, short: 150 },
  async run({ count, say }) {
    const service = await startOwnProcess();
    // This process plays the clients.
    await Promise.all([keepTo(processors.service, service.pid), keepTo(processors.clients)]);
    try {
      const findings = await trySlowClients({
        url: service.url,
        key: service.key,
        clients: count,
        seconds: MEASURED_SECONDS,
        floorMs: FLOOR_MS,
        say,
      });
      if (service.hasEnded()) return [...findings, 'the process ended'];
      const mb = Math.round(residentMb(service.pid));
      say(`${mb} MB resident afterwards`);
      if (mb > MB_BESIDE + MB_EACH * count) findings.push(`${mb} MB resident`);
      return [...findings, ...(await findBrokenTables(service))];
    } finally {
      await service.stop();
      await keepTo(processors.all);
    }
  },
};
