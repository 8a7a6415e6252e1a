import { Link } from '@tanstack/react-router';

/** The wordmark of server/src/platform/pages/wordmark.ts, as a link to the overview. */
export function Wordmark() {
  return (
    <Link to="/" className="inline-flex text-ink" aria-label="Bestow, overview">
      <WordmarkPicture />
    </Link>
  );
}

export function WordmarkPicture() {
  return (
    <svg aria-hidden="true" viewBox="0 0 284 92" width="108" height="35">
      <g fill="none" stroke="currentColor" strokeWidth="9.5" strokeLinecap="round" strokeLinejoin="round">
        <path d="M12 14V78" />
        <circle cx="33" cy="60" r="20" />
        <path d="M65 60H105A20 20 0 1 0 98 75" />
        <path d="M142 47C136 38 119 38 119 49 119 61 143 57 143 70 143 82 122 83 117 73" />
        <path d="M165 24V66A13 13 0 0 0 178 79M154 43H178" />
        <circle cx="208" cy="60" r="20" />
        <path d="M238 42L247 78 258.5 48 270 78 279 42" />
      </g>
      <path
        className="fill-accent"
        d="M208 35C200 14 177 10 177 23 177 35 196 38 208 35 220 38 239 35 239 23 239 10 216 14 208 35Z"
      />
    </svg>
  );
}
