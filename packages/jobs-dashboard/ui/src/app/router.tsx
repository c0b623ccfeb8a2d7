import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  useParams,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { prefix } from '../lib/api.ts';
import { Link } from '../parts/link.tsx';
import { Empty, PageHeader, ProblemView } from '../parts/page.tsx';
import { Shell } from './shell.tsx';

// biome-ignore lint/suspicious/noExplicitAny: a module of pages holds nothing but components, by name.
type Load = () => Promise<Record<string, any>>;
type PageComponent = ComponentType<{ readonly id: string }> & { readonly preload?: () => Promise<unknown> };

/** Pages. Each is loaded when it is first opened. */
const pages: readonly (readonly [path: string, load: Load, page: string])[] = [
  ['/', () => import('../pages/overview/overview-page.tsx'), 'OverviewPage'],
  ['/jobs', () => import('../pages/jobs/jobs-page.tsx'), 'JobsPage'],
  ['/jobs/$id', () => import('../pages/jobs/job-page.tsx'), 'JobPage'],
  ['/traces/$id', () => import('../pages/traces/trace-page.tsx'), 'TracePage'],
  ['/recurring', () => import('../pages/recurring/recurring-page.tsx'), 'RecurringPage'],
  ['/recurring/$id', () => import('../pages/recurring/schedule-page.tsx'), 'SchedulePage'],
  ['/servers', () => import('../pages/servers/servers-page.tsx'), 'ServersPage'],
  ['/servers/$id', () => import('../pages/servers/server-page.tsx'), 'ServerPage'],
  ['/endpoints', () => import('../pages/endpoints/endpoints-page.tsx'), 'EndpointsPage'],
  ['/endpoints/$id', () => import('../pages/endpoints/endpoint-page.tsx'), 'EndpointPage'],
];

function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Empty title="There is no such page.">
        <Link to="/">Go to the overview</Link>
      </Empty>
    </>
  );
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <ProblemView error={error} onRetry={reset} />,
});

export const router = createRouter({
  routeTree: root.addChildren(
    pages.map(([path, load, page]) => {
      const Page = lazyRouteComponent(load, page) as unknown as PageComponent;
      return createRoute({
        getParentRoute: () => root,
        path,
        component: function Identified() {
          // A different record resets the state of the page.
          const { id = '' } = useParams({ strict: false }) as { id?: string };
          return <Page key={id} id={id} />;
        },
        loader: () => Page.preload?.(),
        errorComponent: ({ error, reset }) => <ProblemView error={error} onRetry={reset} />,
      });
    }),
  ),
  basepath: prefix,
  defaultPreload: false,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
});
