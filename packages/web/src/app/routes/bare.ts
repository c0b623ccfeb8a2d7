import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { LoadPage } from './page-route.ts';
import { root } from './root.ts';

const bare = (path: string, load: LoadPage, page: string) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, page) });

/** Routes of the pages without the frame. */
export const bareRoutes = [
  bare('/login', () => import('../../features/session/login-page.tsx'), 'LoginPage'),
  bare('/logout', () => import('../../features/session/logout-page.tsx'), 'LogoutPage'),
  bare('/error', () => import('../../features/session/error-page.tsx'), 'ErrorPage'),
  bare('/setup', () => import('../../features/setup/setup-page.tsx'), 'SetupPage'),
];
