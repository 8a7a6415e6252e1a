import { Link } from '@tanstack/react-router';

/** Every page of the menu. */
const pages = [
  { to: '/organizations', label: 'Organizations' },
  { to: '/search', label: 'Search' },
  { to: '/money', label: 'Money' },
  { to: '/messages', label: 'Messages' },
  { to: '/work', label: 'Work' },
  { to: '/catalog', label: 'Catalog' },
  { to: '/health', label: 'Health' },
  { to: '/log', label: 'Log' },
] as const;

/** The navigation, in the band or, on phones, in the drawer. */
export function OperatorNavigation({ isInBand = false }: { isInBand?: boolean }) {
  const item = isInBand
    ? 'block border-b-3 border-transparent px-3 pt-1 pb-2 text-on-band-soft hover:text-on-band'
    : 'block rounded-lg px-3 py-2.5 text-soft hover:bg-sunken hover:text-ink';
  const active = isInBand ? 'border-on-band! text-on-band! font-semibold' : 'bg-accent-wash text-accent! font-semibold';
  return (
    <nav aria-label="Operator">
      <ul className={isInBand ? 'flex gap-1' : 'mt-2'}>
        {pages.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ includeSearch: false }} className={item} activeProps={{ className: active }}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
