import {
  type AdminSettingsService,
  adminSettingsRoutes,
  createAdminSettings,
} from '../domains/admin-settings/index.ts';
import { auditRoutes, createAuditLog } from '../domains/audit/index.ts';
import {
  createRecipientSettingsService,
  recipientSettingsRoutes,
} from '../domains/recipient-settings/index.ts';
import type { Config } from '../platform/config/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

export type AdministrationPart = Part & { readonly adminSettings: AdminSettingsService };

/** What administrators set at run time, and the audit that they read. */
export function composeAdministration(ground: Ground, config: Config): AdministrationPart {
  const { database, audit } = ground;
  const adminSettings = createAdminSettings({ database, config, audit });
  return {
    adminSettings,
    routes: [
      ...adminSettingsRoutes(adminSettings),
      ...recipientSettingsRoutes(createRecipientSettingsService(ground)),
      ...auditRoutes(createAuditLog({ database, clock: ground.clock, audit })),
    ],
  };
}
