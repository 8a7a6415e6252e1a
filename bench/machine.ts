import { cpus, loadavg, release, totalmem } from 'node:os';
import { driverName } from './ceiling/measure.ts';

export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  driver: string;
  /** Load average of the last minute at the start. */
  loadBefore: number;
}

export const describeMachine = (): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release()}`,
  node: process.version,
  driver: driverName(),
  loadBefore: loadavg()[0] ?? 0,
});

/** Warns if the machine was busy: its figures prove nothing. */
export const isBusy = ({ cores, loadBefore }: Machine) => loadBefore > cores / 4;
