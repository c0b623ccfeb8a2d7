import { type Role, type RoleName, roleNames } from '@svc/contract';
import { levelOf } from './access.ts';

const descriptions: Readonly<Record<RoleName, string>> = {
  Admin: 'Everything, in every project; holds all functional permissions.',
  Editor: 'Reads and changes what projects hold.',
  Viewer: 'Reads what projects hold and runs saved queries.',
  UserAdmin: 'Manages users, project members, owners and the keys of others.',
  SecurityAdmin: 'Manages recipients, admin settings and the settings for AI clients.',
  DataSourceAdmin: 'Creates, tests and deletes data sources.',
  Auditor: 'Reads settings, all API keys and the audit log.',
  Approver: 'Decides about approvals; never about own requests.',
  MigrationOperator: 'Manages and runs data migrations.',
};

/** All roles, highest level first. */
export const roles: readonly Role[] = [...roleNames]
  .map((name) => ({
    name,
    kind: levelOf(name) > 0 ? ('Global' as const) : ('Functional' as const),
    level: levelOf(name),
    description: descriptions[name],
  }))
  .sort((a, b) => b.level - a.level);
