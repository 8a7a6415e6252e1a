import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { systemClock } from '../../src/platform/base/clock.ts';
import { createPrometheusMeter } from '../../src/surfaces/metrics/prometheus-meter.ts';
import { addProcess, createRegistry } from '../../src/surfaces/metrics/registry.ts';
import { programPath } from '../harness/debian-programs.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { temporaryDirectory } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

// Checks the alerts, their page and the dashboard against what the service exports.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; action: string; runbook: string };
}

const rules: Rule[] = parseYaml(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const ruleTests: { name: string; input_series: { series: string }[] }[] = parseYaml(
  read('deploy/prometheus/alerts.test.yaml'),
).tests;
const alertNames = rules.map(({ alert }) => alert);

const dashboard = JSON.parse(read('deploy/grafana/bestow.json'));
interface Panel {
  id: number;
  type: string;
  title: string;
  datasource: { type: string; uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { refId: string; expr: string }[];
}
const panels: Panel[] = dashboard.panels;

/** Every expression of the alerts, of their tests and of the dashboard. */
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...ruleTests.flatMap((one) => one.input_series.map(({ series }) => series)),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];
const named = expressions.flatMap((expression) =>
  [...expression.matchAll(/\b((?:bestow|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      expression,
      name: name.replace(/_bucket$/, ''),
      labels: [...matchers.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
    }),
  ),
);

const service = openForFile(() => startTestService());

test('the service exports every metric in the alerts and the dashboard', async () => {
  const measured = await service.second({ METRICS_PORT: '0' });
  const text = await (await fetch(measured.service.metricsAddress() ?? '')).text();
  await measured.close();
  const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  assert.ok(named.length > 40);
  assert.deepEqual(
    [...new Set(named.map(({ name }) => name))].filter((name) => !exported.has(name)),
    [],
  );
});

test('every label in the alerts and the dashboard is one of its metric’s', () => {
  const { registry } = createPrometheusMeter();
  addProcess(registry, { servers: [] });
  createRegistry(registry, {
    servers: [],
    clock: systemClock,
    log: console,
    channels: undefined,
    backupFile: undefined,
  });
  const declared = new Map(
    registry.getMetricsAsArray().map((metric) => [metric.name, Reflect.get(metric, 'labelNames') as string[]]),
  );
  // Prometheus adds the first two, a histogram the last.
  const labelsOf = (name: string) => ['job', 'instance', 'le', ...(declared.get(name) ?? assert.fail(name))];
  const unknown = named.flatMap(({ expression, name, labels }) => {
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
    return [...labels, ...grouped].filter((label) => !labelsOf(name).includes(label)).map((label) => [name, label]);
  });
  assert.ok(named.some(({ labels }) => labels.length > 1));
  assert.deepEqual(unknown, []);
});

test('alerts and dashboard use the documented job name and alert on its absence', () => {
  const sample = /^```yaml\n(.*?)^```$/ms.exec(read('docs/monitoring.md'))?.[1] ?? assert.fail('no settings');
  const jobs = parseYaml(sample).scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
  const used = expressions.flatMap((expression) => [...expression.matchAll(/\bjob="([^"]+)/g)].map(([, job]) => job));
  assert.deepEqual([...new Set(used)], jobs);
  for (const job of jobs) assert.ok(rules.some(({ expr }) => expr === `absent(up{job="${job}"})`));
});

test('each alert fires alone in its test, and ends', () => {
  assert.deepEqual(
    ruleTests.map(({ name }) => name),
    alertNames,
  );
  const file = join(root, 'deploy/prometheus/alerts.test.yaml');
  const { status, stderr } = spawnSync(programPath('promtool'), ['test', 'rules', file]);
  assert.equal(status, 0, String(stderr));
});

test('every alert has a severity, a summary and an action', () => {
  assert.ok(rules.length >= 10);
  for (const { alert, expr, labels, annotations } of rules) {
    assert.ok(alert && expr);
    assert.match(labels.severity, /^(?:critical|warning)$/);
    assert.match(annotations.summary, /\.$/);
    assert.match(annotations.action, /\.$/);
  }
});

test('docs/alerts.md has a section for each alert, which the alert names', () => {
  const sections = read('docs/alerts.md').split(/^## /m).slice(1);
  const about = sections.map((section) => section.split('\n', 1)[0] ?? '').filter((name) => /^Bestow/.test(name));
  assert.deepEqual(about, alertNames);
  for (const { alert, annotations } of rules) {
    assert.equal(annotations.runbook, `docs/alerts.md#${alert.toLowerCase()}`);
    const section = sections.find((text) => text.startsWith(`${alert}\n`)) ?? assert.fail(alert);
    const points = [...section.matchAll(/^- \*\*([^*]+)\*\*: \S.*\.$/gm)].map(([, point]) => point);
    assert.deepEqual(points, ['Means', 'Look at', 'Do', 'Wake'], alert);
  }
});

/** Whether two panels of the dashboard cover the same place. */
const overlap = ({ gridPos: one }: Panel, { gridPos: other }: Panel) =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

test('the dashboard has what Grafana’s importer wants, and no panels overlap', () => {
  const { title, uid, schemaVersion, templating, time } = dashboard;
  assert.deepEqual([title, uid, Number.isInteger(schemaVersion)], ['Bestow', 'bestow', true]);
  assert.ok(time.from && time.to);
  const sources = templating.list.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`);
  assert.deepEqual(sources, ['datasource datasource']);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const [index, panel] of panels.entries()) {
    const { type, title: heading, datasource, gridPos, targets } = panel;
    assert.match(type, /^(?:stat|timeseries)$/);
    assert.ok(heading);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own placeholder
    assert.deepEqual(datasource, { type: 'prometheus', uid: '${datasource}' });
    assert.ok(gridPos.x >= 0 && gridPos.x + gridPos.w <= 24 && gridPos.h > 0, heading);
    assert.deepEqual(
      panels.slice(index + 1).filter((other) => overlap(panel, other)),
      [],
      heading,
    );
    assert.ok(targets.length > 0);
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length);
  }
});

test('Prometheus can parse every expression of the dashboard', async (t) => {
  const file = join(await temporaryDirectory(t), 'rules.json');
  const all = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
  const check = (exprs: string[]) => {
    const rulesOfPanels = exprs.map((expr, n) => ({ record: `panel:${n}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: rulesOfPanels }] }));
    return spawnSync(programPath('promtool'), ['check', 'rules', file], { encoding: 'utf8' });
  };
  assert.ok(all.length > 20);
  const { status, stderr } = check(all);
  assert.equal(status, 0, stderr);
  assert.notEqual(check(['sum by (rate(']).status, 0);
});
