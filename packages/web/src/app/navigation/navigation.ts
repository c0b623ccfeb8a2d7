import type { ComponentType } from 'react';
import { type Need, needs } from '../../access/rights.ts';
import { WaitingCount } from '../../features/approvals/waiting-count.tsx';
import { UnreadCount } from '../../features/notifications/unread-count.tsx';
import { jobsDashboard } from '../../lib/jobs-dashboard.ts';
import { paths } from '../../lib/paths.ts';
import type { IconName } from '../../ui/text/icons.tsx';

/** Page that the navigation and the palette link to. */
export type Destination = {
  readonly label: string;
  readonly to: string;
  readonly icon: IconName;
  readonly need: Need;
  /** Count of items that wait on the page, shown next to its name. */
  readonly badge?: ComponentType;
  /** True for a page of another application on the same site: the browser loads the address. */
  readonly isBeside?: boolean;
  /** Second key after `g`. */
  readonly key?: string;
};

export type NavigationGroup = { readonly label: string; readonly items: readonly Destination[] };

const { permission, project, projectOr } = needs;

/** Groups of the navigation. The navigation omits destinations that the user's rights do not admit. */
export const navigation: readonly NavigationGroup[] = [
  {
    label: 'Overview',
    items: [
      { label: 'Home', to: paths.home(), icon: 'home', need: needs.nothing, key: 'h' },
      { label: 'Control tower', to: paths.controlTower(), icon: 'tower', need: project, key: 'w' },
      { label: 'Tasks', to: paths.tasks(), icon: 'task', need: project, key: 't' },
    ],
  },
  {
    label: 'Data',
    items: [
      {
        label: 'Data sources',
        to: paths.dataSources(),
        icon: 'source',
        need: projectOr('DataSourceAdmin'),
        key: 'd',
      },
      { label: 'Projects', to: paths.projects(), icon: 'project', need: project, key: 'p' },
      { label: 'Queries', to: paths.queries(), icon: 'query', need: project, key: 'q' },
      { label: 'Data quality', to: paths.dataQuality(), icon: 'quality', need: project },
      { label: 'Data migration', to: paths.migrationJobs(), icon: 'migration', need: needs.migrations },
    ],
  },
  {
    label: 'Alerts',
    items: [
      { label: 'Subscriptions', to: paths.subscriptions(), icon: 'subscription', need: project, key: 's' },
      {
        label: 'Notifications',
        to: paths.notifications(),
        icon: 'notification',
        need: project,
        badge: UnreadCount,
        key: 'n',
      },
      {
        label: 'Recipients',
        to: paths.recipients(),
        icon: 'recipient',
        need: project,
        key: 'r',
      },
      {
        label: 'Approvals',
        to: paths.approvals(),
        icon: 'approval',
        need: permission('Approver'),
        badge: WaitingCount,
        key: 'a',
      },
    ],
  },
  {
    label: 'AI',
    items: [
      { label: 'Ask', to: paths.ask(), icon: 'ask', need: project },
      { label: 'AI actors', to: paths.aiActors(), icon: 'actor', need: project, key: 'i' },
      { label: 'Evaluation', to: paths.evaluation(), icon: 'check', need: needs.admin },
      { label: 'MCP playground', to: paths.mcpPlayground(), icon: 'playground', need: project, key: 'm' },
      { label: 'MCP learning', to: paths.mcpLearning(), icon: 'learning', need: project },
    ],
  },
  {
    label: 'Administration',
    items: [
      { label: 'Users', to: paths.users(), icon: 'users', need: permission('UserAdmin'), key: 'u' },
      {
        label: 'API keys',
        to: paths.apiKeys(),
        icon: 'key',
        need: projectOr('Auditor', 'UserAdmin'),
        key: 'k',
      },
      { label: 'Audit', to: paths.audit(), icon: 'audit', need: permission('Auditor'), key: 'l' },
      {
        label: 'Admin settings',
        to: paths.adminSettings(),
        icon: 'sliders',
        need: permission('Auditor', 'SecurityAdmin'),
      },
      {
        label: 'MCP settings',
        to: paths.mcpSettings(),
        icon: 'guard',
        need: permission('Auditor', 'SecurityAdmin'),
      },
      ...(jobsDashboard === undefined
        ? []
        : [
            {
              label: 'Background jobs',
              to: jobsDashboard,
              icon: 'jobs' as const,
              need: needs.admin,
              isBeside: true,
              key: 'j',
            },
            {
              label: 'Endpoint calls',
              to: `${jobsDashboard}/endpoints`,
              icon: 'link' as const,
              need: needs.admin,
              isBeside: true,
            },
          ]),
    ],
  },
];

/** Destinations at the foot of the navigation. */
export const foot: readonly Destination[] = [
  { label: 'Settings', to: paths.settings(), icon: 'settings', need: needs.nothing, key: ',' },
  { label: 'About', to: paths.about(), icon: 'about', need: needs.nothing },
];

export const destinations: readonly Destination[] = [...navigation.flatMap((group) => group.items), ...foot];

/** Opens a destination: `go` navigates inside this application, and the browser loads other addresses. */
export function open({ to, isBeside }: Pick<Destination, 'to' | 'isBeside'>, go: (to: string) => void): void {
  if (isBeside) window.location.assign(to);
  else go(to);
}
