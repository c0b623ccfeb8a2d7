import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { hrefOf, type Query, useGo } from '../lib/address.ts';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** Path below the prefix, such as `/jobs`. */
  readonly to: string;
  readonly query?: Query;
};

const isOwnClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Link to a page of the dashboard. */
export function Link({ to, query, onClick, ...rest }: Props) {
  const go = useGo();
  const href = hrefOf(to, query);
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isOwnClick(event)) return;
        event.preventDefault();
        go(href);
      }}
    />
  );
}
