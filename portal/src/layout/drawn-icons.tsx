/** An icon in the style of the library's. */
const drawn =
  (path: string) =>
  ({ className }: { className: string }) => (
    <svg aria-hidden="true" viewBox="0 0 15 15" fill="none" stroke="currentColor" className={className}>
      <path strokeLinecap="round" strokeLinejoin="round" d={path} />
    </svg>
  );

/** The library's of these are two to five times as large. */
export const OverviewIcon = drawn('M2.5 2.5h4v4h-4zm6 0h4v4h-4zm-6 6h4v4h-4zm6 0h4v4h-4z');
export const ListIcon = drawn('M2.5 3.5h10m-10 4h10m-10 4h10');
export const CardIcon = drawn('M1.5 3.5h12v8h-12zm0 3h12');
export const SliderIcon = drawn('M1.5 7.5h3m3 0h6m-6 0a1.5 1.5 0 1 1-3 0a1.5 1.5 0 1 1 3 0');
export const ContactIcon = drawn('M1.5 3.5h12v8h-12zm3 5.5q2-2.5 4 0m-2-4v1m4 0h1.5m-1.5 2h1.5');
