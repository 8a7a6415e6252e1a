import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useOpenRequests } from '../api/open-requests.ts';
import { useScope } from '../api/use-scope.ts';
import { buttonClass } from '../ui/button.tsx';
import { type ShownSection, useHere, usePlan } from './plan.ts';

/** The menu of this person. */
export function Navigation() {
  const { params, environment } = useScope();
  const { menu, sections } = usePlan();
  const here = useHere();
  const current = sections.find(({ label }) => label === here.section)?.within ?? here.section;
  const currentClass = `${environment === 'sandbox' ? 'bg-warn-wash text-warn!' : 'bg-accent-wash text-accent!'} font-semibold`;
  return (
    <nav aria-label="Portal" className="grid gap-4">
      <SendLink />
      <ul>
        {menu.map((section) => (
          <li key={section.label}>
            <Link
              to={section.to}
              params={params}
              activeOptions={{ exact: true, includeSearch: false }}
              aria-current={section.label === current ? 'page' : undefined}
              className={`flex items-center gap-3 rounded-lg px-3 py-2 text-soft hover:bg-sunken hover:text-ink ${section.label === current ? currentClass : ''}`}
            >
              <Icon of={section.icon} />
              {nameOf(section, sections)}
              {section.label === 'Approvals' && <OpenRequests />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** An entry of one page has the name of that page: for a viewer, the settings are the audit log. */
const nameOf = ({ label, pages }: ShownSection, sections: readonly ShownSection[]) =>
  pages.length === 1 && !sections.some(({ within }) => within === label) ? pages[0]?.label : label;

/** To the act that the product is for, from every page. */
export function SendLink() {
  const { params } = useScope();
  const { sending } = usePlan();
  if (sending.pages.length === 0) return null;
  return (
    <Link
      to="/$organizationId/$environment/gifts/send"
      params={params}
      aria-keyshortcuts="c"
      title="Send a gift (c)"
      className={buttonClass({ variant: 'primary' })}
    >
      <Icon of={sending.icon} />
      {sending.label}
    </Link>
  );
}

/** How many requests wait, for those who decide them. */
function OpenRequests() {
  const { count = 0, has_more } = useOpenRequests().data ?? {};
  return (
    count > 0 && (
      <span className="ml-auto rounded-full bg-warn-wash px-2 text-sm font-semibold text-warn tabular-nums">
        {count}
        {has_more && '+'}
        <span className="sr-only"> to decide</span>
      </span>
    )
  );
}

function Icon({ of: Glyph }: { of: ComponentType<{ className: string; 'aria-hidden': true }> }) {
  return <Glyph aria-hidden className="size-4.5 shrink-0" />;
}
