import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Finding } from './judge.ts';

/** Redocly's recommended rules, warnings too. */
export async function lintWithRedocly(document: string): Promise<Finding[]> {
  const problems = await lintFromString({ source: document, config: await createConfig({ extends: ['recommended'] }) });
  return problems.map(({ ruleId, message, location }) => ({
    rule: ruleId,
    where: location[0]?.pointer?.replace(/^#\//, '') ?? '',
    message,
  }));
}
