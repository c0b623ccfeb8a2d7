import { needs } from '../../access/rights.ts';
import type { PageRoute } from './page-route.ts';

const { permission, projectOr } = needs;

/** Pages about users, keys, audit and settings of the installation. */
export const administrationPages: readonly PageRoute[] = [
  {
    path: '/admin-settings',
    load: () => import('../../features/admin-settings/admin-settings-page.tsx'),
    page: 'AdminSettingsPage',
    need: permission('Auditor', 'SecurityAdmin'),
  },
  {
    path: '/api-keys',
    load: () => import('../../features/api-keys/api-keys-page.tsx'),
    page: 'ApiKeysPage',
    need: projectOr('Auditor', 'UserAdmin'),
  },
  {
    path: '/mcp-settings',
    load: () => import('../../features/mcp/mcp-settings-page.tsx'),
    page: 'McpSettingsPage',
    need: permission('Auditor', 'SecurityAdmin'),
  },
  {
    path: '/users',
    load: () => import('../../features/users/users-page.tsx'),
    page: 'UsersPage',
    need: permission('UserAdmin'),
  },
  {
    path: '/audit',
    load: () => import('../../features/audit/audit-page.tsx'),
    page: 'AuditPage',
    need: permission('Auditor'),
  },
];
