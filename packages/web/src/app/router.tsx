import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type Need, needs } from '../access/rights.ts';
import { hosted } from '../lib/base.ts';
import { showTimesIn } from '../lib/format.ts';
import { isCodeMissing } from '../lib/problem.ts';
import { queryClient } from '../lib/server-state.ts';
import { currentUser, permissions } from '../requests/session.ts';
import { ProblemView } from '../ui/feedback/problem.tsx';
import { PageSkeleton } from '../ui/feedback/skeleton.tsx';
import { readPreference, savePreference } from '../ui/frame/preference.ts';
import { NeedGate } from './need-gate.tsx';

type Load = () => Promise<Record<string, ComponentType>>;
type Lazy = ComponentType & { preload?: () => Promise<unknown> };
type PageRoute = {
  /** Several paths share one page instance: navigation between them does not remount the page. */
  readonly path: string | readonly [string, ...string[]];
  readonly load: Load;
  readonly page: string;
  readonly need: Need;
};

const { migrations, nothing, permission, project, projectOr } = needs;

/** Every page behind the sign-in, as the route map lists them. */
const signedInPages: readonly PageRoute[] = [
  { path: '/home', load: () => import('../features/home/home-page.tsx'), page: 'HomePage', need: nothing },
  {
    path: '/about',
    load: () => import('../features/about/about-page.tsx'),
    page: 'AboutPage',
    need: nothing,
  },
  {
    path: '/settings',
    load: () => import('../features/settings/settings-page.tsx'),
    page: 'SettingsPage',
    need: nothing,
  },
  {
    path: '/data-sources',
    load: () => import('../features/data-sources/data-sources-page.tsx'),
    page: 'DataSourcesPage',
    need: projectOr('DataSourceAdmin'),
  },
  {
    path: '/data-sources/$id',
    load: () => import('../features/data-sources/data-source-page.tsx'),
    page: 'DataSourcePage',
    need: project,
  },
  {
    path: '/data-sources/$id/relationships',
    load: () => import('../features/relationships/relationships-page.tsx'),
    page: 'RelationshipsPage',
    need: project,
  },
  {
    path: '/projects',
    load: () => import('../features/projects/projects-page.tsx'),
    page: 'ProjectsPage',
    need: project,
  },
  {
    path: '/projects/new',
    load: () => import('../features/projects/new-project-page.tsx'),
    page: 'NewProjectPage',
    need: project,
  },
  {
    path: '/projects/$id',
    load: () => import('../features/projects/project-page.tsx'),
    page: 'ProjectPage',
    need: project,
  },
  {
    path: '/queries',
    load: () => import('../features/queries/queries-page.tsx'),
    page: 'QueriesPage',
    need: project,
  },
  {
    path: ['/queries/new', '/queries/$id/edit'],
    load: () => import('../features/queries/query-editor-page.tsx'),
    page: 'QueryEditorPage',
    need: project,
  },
  {
    path: '/queries/$id',
    load: () => import('../features/queries/query-page.tsx'),
    page: 'QueryPage',
    need: project,
  },
  {
    path: '/queries/$id/versions',
    load: () => import('../features/queries/versions/query-versions-page.tsx'),
    page: 'QueryVersionsPage',
    need: project,
  },
  {
    path: '/queries/$id/versions/$versionId',
    load: () => import('../features/queries/versions/query-version-page.tsx'),
    page: 'QueryVersionPage',
    need: project,
  },
  {
    path: '/subscriptions',
    load: () => import('../features/subscriptions/subscriptions-page.tsx'),
    page: 'SubscriptionsPage',
    need: project,
  },
  {
    path: '/subscriptions/$id',
    load: () => import('../features/subscriptions/subscription-page.tsx'),
    page: 'SubscriptionPage',
    need: project,
  },
  {
    path: '/notifications',
    load: () => import('../features/notifications/notifications-page.tsx'),
    page: 'NotificationsPage',
    need: project,
  },
  {
    path: '/notifications/$id',
    load: () => import('../features/notifications/notification-page.tsx'),
    page: 'NotificationPage',
    need: project,
  },
  {
    path: '/control-tower',
    load: () => import('../features/control-tower/tower-page.tsx'),
    page: 'TowerPage',
    need: project,
  },
  {
    path: '/data-quality',
    load: () => import('../features/data-quality/contracts-page.tsx'),
    page: 'ContractsPage',
    need: project,
  },
  {
    path: ['/data-quality/new', '/data-quality/$id/edit'],
    load: () => import('../features/data-quality/editor/contract-editor-page.tsx'),
    page: 'ContractEditorPage',
    need: project,
  },
  {
    path: '/data-quality/$id',
    load: () => import('../features/data-quality/contract/contract-page.tsx'),
    page: 'ContractPage',
    need: project,
  },
  {
    path: '/migration-jobs',
    load: () => import('../features/data-migration/jobs-page.tsx'),
    page: 'JobsPage',
    need: migrations,
  },
  {
    path: '/migration-jobs/new',
    load: () => import('../features/data-migration/new-job-page.tsx'),
    page: 'NewJobPage',
    need: migrations,
  },
  {
    path: '/migration-jobs/$id',
    load: () => import('../features/data-migration/job-page.tsx'),
    page: 'JobPage',
    need: migrations,
  },
  {
    path: '/migration-history',
    load: () => import('../features/data-migration/executions/history-page.tsx'),
    page: 'HistoryPage',
    need: migrations,
  },
  {
    path: '/tasks',
    load: () => import('../features/tasks/tasks-page.tsx'),
    page: 'TasksPage',
    need: project,
  },
  {
    path: '/tasks/$id',
    load: () => import('../features/tasks/task-page.tsx'),
    page: 'TaskPage',
    need: project,
  },
  {
    path: '/recipients',
    load: () => import('../features/recipients/recipients-page.tsx'),
    page: 'RecipientsPage',
    need: project,
  },
  {
    path: '/approvals',
    load: () => import('../features/approvals/approvals-page.tsx'),
    page: 'ApprovalsPage',
    need: permission('Approver'),
  },
  {
    path: '/approvals/$id',
    load: () => import('../features/approvals/query-approval-page.tsx'),
    page: 'QueryApprovalPage',
    need: permission('Approver'),
  },
  {
    path: '/approvals/changes/$id',
    load: () => import('../features/approvals/change-page.tsx'),
    page: 'ChangePage',
    need: permission('Approver'),
  },
  {
    path: '/admin-settings',
    load: () => import('../features/admin-settings/admin-settings-page.tsx'),
    page: 'AdminSettingsPage',
    need: permission('Auditor', 'SecurityAdmin'),
  },
  {
    path: '/api-keys',
    load: () => import('../features/api-keys/api-keys-page.tsx'),
    page: 'ApiKeysPage',
    need: projectOr('Auditor', 'UserAdmin'),
  },
  {
    path: '/ai-actors',
    load: () => import('../features/ai-actors/actors-page.tsx'),
    page: 'ActorsPage',
    need: project,
  },
  {
    path: '/ai-actors/$id',
    load: () => import('../features/ai-actors/actor-page.tsx'),
    page: 'ActorPage',
    need: project,
  },
  {
    path: '/ai-actors/$id/edit',
    load: () => import('../features/ai-actors/edit-actor-page.tsx'),
    page: 'EditActorPage',
    need: project,
  },
  {
    path: '/ask',
    load: () => import('../features/ask/ask-page.tsx'),
    page: 'AskPage',
    need: project,
  },
  {
    path: '/evaluation',
    load: () => import('../features/evaluation/evaluation-page.tsx'),
    page: 'EvaluationPage',
    need: needs.admin,
  },
  {
    path: '/mcp-playground',
    load: () => import('../features/mcp/mcp-playground-page.tsx'),
    page: 'McpPlaygroundPage',
    need: project,
  },
  {
    path: '/mcp-learning',
    load: () => import('../features/learning/learning-page.tsx'),
    page: 'LearningPage',
    need: project,
  },
  {
    path: '/mcp-settings',
    load: () => import('../features/mcp/mcp-settings-page.tsx'),
    page: 'McpSettingsPage',
    need: permission('Auditor', 'SecurityAdmin'),
  },
  {
    path: '/users',
    load: () => import('../features/users/users-page.tsx'),
    page: 'UsersPage',
    need: permission('UserAdmin'),
  },
];

/** Pages in addition to the table of the specification. */
const additions: readonly PageRoute[] = [
  {
    path: '/ai-actors/new',
    load: () => import('../features/ai-actors/new-actor-page.tsx'),
    page: 'NewActorPage',
    need: project,
  },
  {
    path: '/ai-actors/plans/$id',
    load: () => import('../features/ai-actors/plan-page.tsx'),
    page: 'PlanPage',
    need: projectOr('Approver'),
  },
  {
    path: '/first-alert',
    load: () => import('../features/first-alert/first-alert-page.tsx'),
    page: 'FirstAlertPage',
    need: project,
  },
  {
    path: '/audit',
    load: () => import('../features/audit/audit-page.tsx'),
    page: 'AuditPage',
    need: permission('Auditor'),
  },
];

/** Replaces a page that failed. */
function Failure({ error, reset }: ErrorComponentProps) {
  const retry = () => {
    if (isCodeMissing(error)) return void reloadWhenThere();
    reset();
    void router.invalidate();
  };
  return <ProblemView isPage error={error} onRetry={retry} />;
}

/**
 * Reloads the page if the service responds. A new version names its code files differently, so only a reload can load
 * them.
 */
const reloadWhenThere = (): Promise<void> =>
  fetch(window.location.href, { method: 'HEAD' }).then(
    ({ ok }) => (ok ? window.location.reload() : undefined),
    () => undefined,
  );

const root = createRootRoute({
  component: Outlet,
  errorComponent: Failure,
});

const bare = (path: string, load: Load, page: string) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, page) });

const barePages = [
  bare('/login', () => import('../features/session/login-page.tsx'), 'LoginPage'),
  bare('/logout', () => import('../features/session/logout-page.tsx'), 'LogoutPage'),
  bare('/error', () => import('../features/session/error-page.tsx'), 'ErrorPage'),
  bare('/setup', () => import('../features/setup/setup-page.tsx'), 'SetupPage'),
];

/** Preference with the value `yes` if the user was signed in when this browser last loaded a page. */
const signedInBefore = 'signed-in';

const loadShell = () => import('./shell.tsx');
const Shell = lazyRouteComponent(loadShell, 'Shell');

/**
 * Loads the code of the frame and of the target page. Waits for the frame only, because its styles must precede the
 * styles of pages.
 */
function askForCode(matches: readonly { readonly routeId: string }[]): Promise<unknown> {
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
    const askRights = () => queryClient.ensureQueryData(permissions).catch(() => undefined);
    // Loads rights and code in parallel with the user if the user was signed in before. For a visitor the requests
    // would be refused.
    const isExpected = readPreference(signedInBefore) === 'yes';
    const early = isExpected ? askRights() : undefined;
    const earlyCode = isExpected ? askForCode(matches) : undefined;
    earlyCode?.catch(() => undefined);
    const user = await queryClient.ensureQueryData(currentUser);
    savePreference(signedInBefore, user.isAuthenticated ? 'yes' : 'no');
    if (!user.isAuthenticated) {
      if (user.externalLogin) window.location.assign(user.externalLogin.loginUrl);
      throw redirect({ to: '/login' as string, search: { returnTo: location.href } as never });
    }
    showTimesIn(user.timeZone);
    // The navigation waits for the rights, so that its entries do not shift after the first paint.
    await Promise.all([early ?? askRights(), earlyCode ?? askForCode(matches)]);
    if (user.mustChangePassword && location.pathname !== '/settings') {
      throw redirect({ to: '/settings' as string });
    }
  },
  pendingComponent: PageSkeleton,
  errorComponent: Failure,
});

/** Functions that load the code of a page, by route id. */
const pageCode = new Map<string, Load>();

const pages = [...signedInPages, ...additions].map(({ path, load, page, need }) => {
  const Page = lazyRouteComponent(load, page) as unknown as Lazy;
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
});

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
  routeTree: root.addChildren([...barePages, index, unknown, signedIn.addChildren(pages)]),
  basepath: hosted('/svc'),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
});
