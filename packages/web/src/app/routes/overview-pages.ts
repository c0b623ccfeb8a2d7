import { needs } from '../../access/rights.ts';
import type { PageRoute } from './page-route.ts';

const { nothing, project } = needs;

/** Pages about the installation and the user: home, tasks, control tower and settings. */
export const overviewPages: readonly PageRoute[] = [
  { path: '/home', load: () => import('../../features/home/home-page.tsx'), page: 'HomePage', need: nothing },
  {
    path: '/about',
    load: () => import('../../features/about/about-page.tsx'),
    page: 'AboutPage',
    need: nothing,
  },
  {
    path: '/settings',
    load: () => import('../../features/settings/settings-page.tsx'),
    page: 'SettingsPage',
    need: nothing,
  },
  {
    path: '/control-tower',
    load: () => import('../../features/control-tower/tower-page.tsx'),
    page: 'TowerPage',
    need: project,
  },
  {
    path: '/tasks',
    load: () => import('../../features/tasks/tasks-page.tsx'),
    page: 'TasksPage',
    need: project,
  },
  {
    path: '/tasks/$id',
    load: () => import('../../features/tasks/task-page.tsx'),
    page: 'TaskPage',
    need: project,
  },
  {
    path: '/first-alert',
    load: () => import('../../features/first-alert/first-alert-page.tsx'),
    page: 'FirstAlertPage',
    need: project,
  },
];
