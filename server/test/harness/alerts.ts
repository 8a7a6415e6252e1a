import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { programPath } from './debian-programs.ts';
import type { Samples } from './metrics-text.ts';

const RULES = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yaml', import.meta.url));
const QUIET_MINUTES = 20;

export interface Situation {
  /** What a scrape shows before it. */
  before: Samples;
  /** What a scrape shows while it lasts. */
  during: Samples;
}

/**
 * Lets Prometheus scrape `before` for twenty minutes and then `during`, and compares the alerts that fire.
 *
 * @param minutes how long the situation lasts
 */
export function assertAlerts({ before, during }: Situation, minutes: number, alerts: readonly string[]): void {
  const names = [...new Set([...Object.keys(before), ...Object.keys(during)])].filter((name) =>
    name.startsWith('bestow_'),
  );
  const series = names.map((name) => ({
    series: name,
    values: `${before[name] ?? '_'}x${QUIET_MINUTES} ${during[name] ?? '_'}x${minutes}`,
  }));
  const firing = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const samples = alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }));
  const directory = mkdtempSync(join(tmpdir(), 'bestow-alerts-'));
  try {
    const file = join(directory, 'test.json');
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [RULES],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: [{ series: 'up{job="bestow"}', values: `1x${QUIET_MINUTES + minutes}` }, ...series],
            promql_expr_test: [
              { expr: firing, eval_time: `${QUIET_MINUTES}m`, exp_samples: [] },
              { expr: firing, eval_time: `${QUIET_MINUTES + minutes}m`, exp_samples: samples },
            ],
          },
        ],
      }),
    );
    const { status, stderr, stdout } = spawnSync(programPath('promtool'), ['test', 'rules', file], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr + stdout);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What an alert tells the person whom it wakes. */
export function actionOf(alert: string): string {
  const { groups } = parseYaml(readFileSync(RULES, 'utf8'));
  const rules: { alert: string; annotations: { action: string } }[] = groups.flatMap(
    ({ rules: some }: { rules: object[] }) => some,
  );
  return rules.find((rule) => rule.alert === alert)?.annotations.action ?? assert.fail(alert);
}
