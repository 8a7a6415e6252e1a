import type { Registry } from 'prom-client';
import { type Meter, silentMeter } from '../../platform/base/meter.ts';
import type { Config } from '../../platform/configuration/config.ts';

interface OpenedMeter {
  meter: Meter;
  /** Undefined without METRICS_PORT; the library is then not loaded. */
  registry: Registry | undefined;
}

export async function openMeter({ metricsPort }: Pick<Config, 'metricsPort'>): Promise<OpenedMeter> {
  if (metricsPort === undefined) return { meter: silentMeter, registry: undefined };
  const { createPrometheusMeter } = await import('./prometheus-meter.ts');
  return createPrometheusMeter();
}
