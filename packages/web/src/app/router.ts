import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { hosted } from '../lib/base.ts';
import { bareRoutes } from './routes/bare.ts';
import { root } from './routes/root.ts';
import { signedInRoutes } from './routes/signed-in.tsx';

const toHome = () => {
  throw redirect({ to: '/home' as string, replace: true });
};
const index = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toHome });
/** Redirects an unknown path under /svc to the home page. */
const unknown = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: toHome });

/** Parses query parameters as plain text. Addresses remain readable, because values are not encoded as JSON. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text));
function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  routeTree: root.addChildren([...bareRoutes, index, unknown, signedInRoutes]),
  basepath: hosted('/svc'),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
});
