import { programPath } from './debian-programs.ts';

export const chromiumPath = (): string => programPath('chromium');
