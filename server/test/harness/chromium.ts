import { programPath } from './debian-programs.ts';

/** The browser that tests drive. */
export const chromiumPath = (): string => programPath('chromium');
