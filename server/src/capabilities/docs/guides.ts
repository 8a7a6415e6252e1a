/** A page at `/docs/{slug}`, from `docs/{slug}.md`. */
interface GuideEntry {
  slug: string;
  group: 'Start' | 'Build' | 'Run';
}

/** Every page in reading order; `index` is `/docs`. The errors and the API reference are generated. */
export const guides = [
  { slug: 'index', group: 'Start' },
  { slug: 'quickstart', group: 'Start' },
  { slug: 'concepts', group: 'Start' },
  { slug: 'client', group: 'Build' },
  { slug: 'python', group: 'Build' },
  { slug: 'go', group: 'Build' },
  { slug: 'languages', group: 'Build' },
  { slug: 'agents', group: 'Build' },
  { slug: 'sandbox', group: 'Build' },
  { slug: 'testing', group: 'Build' },
  { slug: 'errors', group: 'Build' },
  { slug: 'webhooks', group: 'Build' },
  { slug: 'pagination', group: 'Build' },
  { slug: 'history', group: 'Build' },
  { slug: 'events', group: 'Build' },
  { slug: 'ledger', group: 'Build' },
  { slug: 'limits', group: 'Build' },
  { slug: 'versions', group: 'Build' },
  { slug: 'going-live', group: 'Build' },
  { slug: 'send-many', group: 'Build' },
  { slug: 'contacts', group: 'Build' },
  { slug: 'unclaimed-gifts', group: 'Build' },
  { slug: 'roles', group: 'Build' },
  { slug: 'brand', group: 'Build' },
  { slug: 'install', group: 'Run' },
  { slug: 'operating', group: 'Run' },
  { slug: 'configuration', group: 'Run' },
  { slug: 'commands', group: 'Run' },
  { slug: 'operator-page', group: 'Run' },
  { slug: 'monitoring', group: 'Run' },
  { slug: 'alerts', group: 'Run' },
  { slug: 'containers', group: 'Run' },
  { slug: 'scale', group: 'Run' },
  { slug: 'topups', group: 'Run' },
  { slug: 'sending', group: 'Run' },
  { slug: 'issuers', group: 'Run' },
  { slug: 'issuers-write', group: 'Run' },
  { slug: 'money', group: 'Run' },
  { slug: 'backup', group: 'Run' },
  { slug: 'privacy', group: 'Run' },
] as const satisfies readonly GuideEntry[];

export type GuideSlug = (typeof guides)[number]['slug'];

export const guidePath = (slug: GuideSlug): string => (slug === 'index' ? '/docs' : `/docs/${slug}`);

/** The address of the page's Markdown. */
export const markdownPath = (slug: GuideSlug): string => `/docs/${slug}.md`;
