import { after, before } from 'node:test';

/**
 * Starts something before the tests of a file and closes it after them. Call it at the top of a test file.
 *
 * @returns an object that is empty until the tests run
 */
export function openForFile<Opened extends object>(start: () => Promise<Opened>): Opened {
  const opened = {} as Opened & { close?: () => Promise<unknown> };
  before(async () => {
    Object.assign(opened, await start());
  });
  after(() => opened.close?.());
  return opened;
}
