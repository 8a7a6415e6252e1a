import assert from 'node:assert/strict';

/** Values by name and labels, such as `bestow_database_up` or `bestow_jobs_due{queue="send-email"}`. */
export type Samples = Record<string, number>;

/** Parses Prometheus's text format; checks that each sample follows the HELP and TYPE of its metric. */
export function parseMetrics(text: string): Samples {
  assert.match(text, /\n$/);
  const samples: Samples = {};
  let metric = '';
  for (const line of text.trimEnd().split('\n')) {
    if (line === '') continue;
    const described = /^# (HELP|TYPE) ([a-z_][a-z0-9_]*) (.+)$/.exec(line);
    if (described !== null) {
      metric = described[2] ?? '';
      if (described[1] === 'TYPE') assert.match(described[3] ?? '', /^(?:counter|gauge|histogram|summary)$/);
      continue;
    }
    const [, name = '', labels = '', value = ''] =
      /^([a-z_][a-z0-9_]*)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (\S+)$/.exec(line) ?? assert.fail(line);
    assert.ok(name.startsWith(metric), `${line} follows ${metric}`);
    const number = Number(value.replace('+Inf', 'Infinity'));
    // Prometheus accepts the library's spelling of a missing value.
    assert.ok(!Number.isNaN(number) || value === 'Nan', line);
    samples[name + labels] = number;
  }
  return samples;
}

/** @param address of the metrics */
export async function scrape(address: string): Promise<Samples> {
  const response = await fetch(address);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(await response.text());
}
