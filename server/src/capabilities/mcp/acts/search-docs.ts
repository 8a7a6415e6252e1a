import { callerOf } from '../../../platform/authentication/caller.ts';
import { requireKey } from '../../../platform/authentication/require-key.ts';
import type { Act } from './act.ts';

export const searchDocs: Act = async ({ deps, request, given, library }) => {
  await requireKey(deps, callerOf(request));
  const found = (await library()).search(String(given['query']));
  const data = found.map(({ address, title, heading, excerpt }) => {
    const [path] = address.split('#');
    const markdown_url = `${deps.publicUrl()}${path === '/docs' ? '/docs/index' : path}.md`;
    return { title, heading, excerpt: excerpt.join(''), url: deps.publicUrl() + address, markdown_url };
  });
  return { data };
};
