import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { showTimesIn } from '../../lib/format.ts';
import { queryClient } from '../../lib/server-state.ts';
import { currentUser, permissions } from '../../requests/session.ts';
import { PageSkeleton } from '../../ui/feedback/skeleton.tsx';
import { readPreference, savePreference } from '../../ui/frame/preference.ts';
import { administrationPages } from './administration-pages.ts';
import { aiPages } from './ai-pages.ts';
import { alertsPages } from './alerts-pages.ts';
import { dataPages } from './data-pages.ts';
import { Failure } from './failure.tsx';
import { NeedGate } from './need-gate.tsx';
import { overviewPages } from './overview-pages.ts';
import type { LoadPage, PageRoute } from './page-route.ts';
import { root } from './root.ts';

type LazyPage = ComponentType & { preload?: () => Promise<unknown> };

/** Preference with the value `yes` if the user was signed in when this browser last loaded a page. */
const signedInBefore = 'signed-in';

const loadShell = () => import('../shell/shell.tsx');
const Shell = lazyRouteComponent(loadShell, 'Shell');

/** Functions that load the code of a page, by route id. */
const pageCode = new Map<string, LoadPage>();

/**
 * Loads the code of the frame and of the target page. Waits for the frame only, because its styles must precede the
 * styles of pages.
 */
function loadCode(matches: readonly { readonly routeId: string }[]): Promise<unknown> {
  const shell = loadShell().then(() => Shell.preload?.());
  // The route of the page loads failed code again and shows the failure.
  for (const { routeId } of matches)
    pageCode
      .get(routeId)?.()
      .catch(() => undefined);
  return shell;
}

/**
 * Route of all pages behind the sign-in. Redirects signed-out visitors to the sign-in page, which returns them here.
 * Redirects a user who must change the password to the settings.
 */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ location, matches }) => {
    const loadRights = () => queryClient.ensureQueryData(permissions).catch(() => undefined);
    // Loads rights and code in parallel with the user if the user was signed in before. For a visitor the requests
    // would be refused.
    const isExpected = readPreference(signedInBefore) === 'yes';
    const early = isExpected ? loadRights() : undefined;
    const earlyCode = isExpected ? loadCode(matches) : undefined;
    earlyCode?.catch(() => undefined);
    const user = await queryClient.ensureQueryData(currentUser);
    savePreference(signedInBefore, user.isAuthenticated ? 'yes' : 'no');
    if (!user.isAuthenticated) {
      if (user.externalLogin) window.location.assign(user.externalLogin.loginUrl);
      throw redirect({ to: '/login' as string, search: { returnTo: location.href } as never });
    }
    showTimesIn(user.timeZone);
    // The navigation waits for the rights, so that its entries do not shift after the first paint.
    await Promise.all([early ?? loadRights(), earlyCode ?? loadCode(matches)]);
    if (user.mustChangePassword && location.pathname !== '/settings') {
      throw redirect({ to: '/settings' as string });
    }
  },
  pendingComponent: PageSkeleton,
  errorComponent: Failure,
});

/** Creates the route of a page. Adds its code to `pageCode`. */
function routeOf({ path, load, page, need }: PageRoute) {
  const Page = lazyRouteComponent(load, page) as unknown as LazyPage;
  const route = createRoute({
    getParentRoute: () => signedIn,
    ...(typeof path === 'string' ? { path } : { id: page }),
    component: () => (
      <NeedGate need={need}>
        <Page />
      </NeedGate>
    ),
    // Loads the code before the page renders, so that a load failure appears inside the shell.
    // With the code loaded, the page replaces the previous page immediately.
    loader: () => load().then(() => Page.preload?.()),
    pendingComponent: PageSkeleton,
    errorComponent: Failure,
  });
  pageCode.set(typeof path === 'string' ? `/signed-in${path}` : `/signed-in/${page}`, load);
  if (typeof path === 'string') return route;
  return route.addChildren(path.map((each) => createRoute({ getParentRoute: () => route, path: each })));
}

const pages = [...overviewPages, ...dataPages, ...alertsPages, ...aiPages, ...administrationPages];

/** Route of the frame with all pages behind the sign-in. */
export const signedInRoutes = signedIn.addChildren(pages.map(routeOf));
