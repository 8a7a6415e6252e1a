import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type BootedMachine, startInstalledMachine } from '../../harness/booted-machine.ts';
import { until } from '../../harness/server-process.ts';

/** Between two looks, because each starts processes. */
const PAUSE = 'sleep 0.3';
const POSTGRES = 'postgresql@$(ls /usr/lib/postgresql | sort -n | tail -1)-main';

suite('the units of deploy/systemd, booted by systemd', () => {
  async function install() {
    const machine = await startInstalledMachine();
    await machine.run(`systemctl stop ${POSTGRES}`);
    return machine;
  }
  const waits = (machine: BootedMachine, times = 1) =>
    until(async () => {
      const log = await machine.run(`${PAUSE}; journalctl --quiet --output=cat --unit=bestow-migrate`);
      return log.split('Waiting for it, at most 10m.').length > times;
    }, 'the migration waits for PostgreSQL');
  const serves = (machine: BootedMachine) =>
    until(
      async () => (await machine.run(`${PAUSE}; curl --silent http://127.0.0.1:3000/readyz`)) === '{"status":"ok"}',
      'the service is ready',
    );
  const showUnits = async (machine: BootedMachine) =>
    (await machine.run('systemctl show --property=Result,ActiveState --value bestow bestow-migrate'))
      .split('\n')
      .filter(Boolean);

  test('the service comes up by itself, also after PostgreSQL and the service were killed', async () => {
    const machine = await install();
    await machine.run('systemctl start --no-block bestow');
    await waits(machine);
    await machine.run(`systemctl start ${POSTGRES}`);
    await serves(machine);

    await machine.run(`systemctl kill --signal=KILL ${POSTGRES}; systemctl stop ${POSTGRES}`);
    await machine.run('systemctl kill --signal=KILL bestow');
    await waits(machine, 2);
    await machine.run('systemctl kill --signal=KILL bestow-migrate');
    await waits(machine, 3);
    await machine.run(`systemctl start ${POSTGRES}`);
    await serves(machine);
    assert.deepEqual(await showUnits(machine), ['success', 'active', 'success', 'inactive']);
  });

  test('a migration that fails starts no service, until it succeeds', async () => {
    const machine = await install();
    await machine.run(`systemctl start ${POSTGRES}`);
    await machine.run(`sed --in-place 's|PASSWORD=owner|PASSWORD=wrong|' /etc/bestow/migrate.env`);
    await machine.run('systemctl start --no-block bestow');
    const log = () => machine.run(`${PAUSE}; journalctl --quiet --output=cat --unit=bestow --unit=bestow-migrate`);
    await until(async () => (await log()).split('refuses the user or the password').length > 3, 'three attempts');
    assert.doesNotMatch(await log(), /"msg":"ready"/);
    assert.match(await log(), /does not allow this user to migrate it/);
    await machine.run(`sed --in-place 's|PASSWORD=wrong|PASSWORD=owner|' /etc/bestow/migrate.env`);
    await serves(machine);
  });

  test('a stop during the start ends it at once, and is not shown as a failure', async () => {
    const machine = await install();
    await machine.run('systemctl start --no-block bestow');
    await waits(machine);
    await machine.run('systemctl stop bestow');
    assert.deepEqual(await showUnits(machine), ['success', 'inactive', 'success', 'inactive']);
    await machine.run(`systemctl start ${POSTGRES}`);
    // Also while the program is loaded.
    await machine.run('systemctl start bestow; systemctl stop bestow');
    assert.deepEqual(await showUnits(machine), ['success', 'inactive', 'success', 'inactive']);
    assert.equal(await machine.run('systemctl list-units --failed --no-legend'), '');
  });
});
