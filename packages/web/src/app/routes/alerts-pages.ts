import { needs } from '../../access/rights.ts';
import type { PageRoute } from './page-route.ts';

const { permission, project } = needs;

/** Pages about alerts: subscriptions, notifications, recipients and approvals. */
export const alertsPages: readonly PageRoute[] = [
  {
    path: '/subscriptions',
    load: () => import('../../features/subscriptions/subscriptions-page.tsx'),
    page: 'SubscriptionsPage',
    need: project,
  },
  {
    path: '/subscriptions/$id',
    load: () => import('../../features/subscriptions/subscription-page.tsx'),
    page: 'SubscriptionPage',
    need: project,
  },
  {
    path: '/notifications',
    load: () => import('../../features/notifications/notifications-page.tsx'),
    page: 'NotificationsPage',
    need: project,
  },
  {
    path: '/notifications/$id',
    load: () => import('../../features/notifications/notification-page.tsx'),
    page: 'NotificationPage',
    need: project,
  },
  {
    path: '/recipients',
    load: () => import('../../features/recipients/recipients-page.tsx'),
    page: 'RecipientsPage',
    need: project,
  },
  {
    path: '/approvals',
    load: () => import('../../features/approvals/approvals-page.tsx'),
    page: 'ApprovalsPage',
    need: permission('Approver'),
  },
  {
    path: '/approvals/$id',
    load: () => import('../../features/approvals/query-approval-page.tsx'),
    page: 'QueryApprovalPage',
    need: permission('Approver'),
  },
  {
    path: '/approvals/changes/$id',
    load: () => import('../../features/approvals/change-page.tsx'),
    page: 'ChangePage',
    need: permission('Approver'),
  },
];
