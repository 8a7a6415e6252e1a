import { Link } from '@tanstack/react-router';
import { useScope } from '../api/use-scope.ts';
import { servicePath } from '../base/address.ts';
import { pickSearch } from '../base/search.ts';
import { useHere, usePlan } from './plan.ts';

const tabClass =
  '-mb-px border-b-2 border-transparent py-2.5 whitespace-nowrap text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent';

const shared = pickSearch('query', 'from', 'to');

/** The pages beside this one: the tabs of its entry of the menu. */
export function SectionTabs() {
  const { params } = useScope();
  const { sending, sections } = usePlan();
  const here = useHere();
  const section = [sending, ...sections].find(({ label }) => label === here.section);
  if (section === undefined || !here.isExact) return null;
  const above = sections.find(({ label }) => label === section.within);
  const below = sections.find(({ within }) => within === section.label);
  const tabs = [
    ...(above === undefined ? [] : [{ to: above.to, label: `‹ ${above.label}` }]),
    ...section.pages,
    ...(below === undefined ? [] : [{ to: below.to, label: below.label }]),
  ];
  if (tabs.length < 2) return null;
  return (
    <nav aria-label={section.label} className="print:hidden border-b border-line">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap gap-x-5 px-4 sm:px-8">
        {tabs.map(({ to, label }) => (
          <Link
            key={label}
            to={to}
            params={params}
            // Gifts and their orders are two views of one list.
            {...(section.label === 'Gifts' && { search: shared })}
            activeOptions={{ exact: true, includeSearch: false }}
            className={tabClass}
          >
            {label}
          </Link>
        ))}
        {section.label === 'Developers' && (
          <a href={`${servicePath}/docs/api`} className={tabClass}>
            API reference
          </a>
        )}
      </div>
    </nav>
  );
}
