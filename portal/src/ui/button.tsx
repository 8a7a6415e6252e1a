import { Link, type LinkProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';

const base =
  'inline-flex items-center justify-center gap-2 rounded-full border font-semibold leading-5 whitespace-nowrap transition-colors disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55';
const sizes = { normal: 'min-h-10 px-4 py-2 text-[0.9375rem]', small: 'min-h-8 px-3 py-1 text-sm' } as const;
const variants: Record<Variant, string> = {
  primary:
    'bg-accent border-accent text-on-accent not-disabled:hover:bg-accent-strong not-disabled:hover:border-accent-strong',
  secondary:
    'bg-surface border-line-strong/60 text-ink not-disabled:hover:border-accent not-disabled:hover:text-accent',
  quiet: 'bg-transparent border-transparent text-accent not-disabled:hover:bg-accent-wash',
  danger: 'bg-surface border-bad/50 text-bad not-disabled:hover:bg-bad-wash',
};

interface Look {
  variant?: Variant;
  size?: keyof typeof sizes;
}

export const buttonClass = ({ variant = 'secondary', size = 'normal' }: Look = {}) =>
  `${base} ${sizes[size]} ${variants[variant]}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Disables the button and sets `aria-busy`. */
  isBusy?: boolean;
}

export function Button({ variant, size, isBusy = false, children, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className}`}
    >
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, children, ...rest }: LinkProps & Look & { children: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass({ ...(variant && { variant }), ...(size && { size }) })}>
      {children}
    </Link>
  );
}
