import type { TestService } from '../../../server/test/harness/test-service.ts';

/** Lines that the service logs as a warning or worse from now on: whoever sends rubbish must not fill a log with it. */
export function watchLog({ service }: TestService): string[] {
  const lines: string[] = [];
  const note = (details: { err?: Error }, message: string) => {
    lines.push(`${message} ${details.err?.stack ?? ''}`);
  };
  Object.assign(service.deps.log, { warn: note, error: note, fatal: note });
  return lines;
}
