import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { prefix } from './api.ts';

/** Query parameters of the URL. */
export type Query = Readonly<Record<string, string | undefined>>;

function textOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the complete URL of a page of the dashboard. */
export const hrefOf = (path: string, query: Query = {}): string => `${prefix}${path}${textOf(query)}`;

/** Returns a function that navigates to a page. */
export function useGo(): (href: string, options?: { readonly replace?: boolean }) => void {
  const router = useRouter();
  return useCallback(
    (href, options = {}) => {
      if (options.replace === true) router.history.replace(href);
      else router.history.push(href);
    },
    [router],
  );
}

/** Returns the path below the prefix, the query, and a function that changes the query. */
export function useAddress() {
  const go = useGo();
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location });
  const query: Query = useMemo(() => Object.fromEntries(new URLSearchParams(searchStr)), [searchStr]);
  const path = pathname === '' ? '/' : pathname;
  const setQuery = useCallback(
    (changed: Query, options: { readonly replace?: boolean } = {}) =>
      go(hrefOf(path, { ...query, ...changed }), options),
    [go, path, query],
  );
  return { path, query, setQuery };
}
