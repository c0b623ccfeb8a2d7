import type { ReactNode } from 'react';

type Props = { readonly label: string; readonly className: string | undefined; readonly children: ReactNode };

/** Scrollable section. It is focusable, so that keys can scroll it. */
export function Scroll({ label, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
