import { administrationRows } from './administration/administration.ts';
import { approvalRows } from './administration/approvals.ts';
import { definitionRows } from './administration/definitions.ts';
import { healthRows } from './administration/health.ts';
import { hubRows } from './administration/hub.ts';
import { overviewRows } from './administration/overview.ts';
import { projectRows } from './administration/projects.ts';
import { settingRows } from './administration/settings.ts';
import { aiActorRows } from './ai/ai-actors.ts';
import { askRows } from './ai/ask.ts';
import { mcpRows } from './ai/mcp.ts';
import { dataQualityRows } from './data-quality/data-quality.ts';
import { dataSourceRows } from './data-sources/data-sources.ts';
import { migrationRows } from './data-sources/migrations.ts';
import { notificationRows } from './delivery/notifications.ts';
import { recipientRows } from './delivery/recipients.ts';
import { subscriptionRows } from './delivery/subscriptions.ts';
import { taskRows } from './delivery/tasks.ts';
import { documentationRows } from './documents/documentation.ts';
import { repositoryRows } from './documents/repositories.ts';
import type { AccessRow } from './expectation.ts';
import { apiKeyRows } from './people/api-keys.ts';
import { setupRows } from './people/setup.ts';
import { signInRows } from './people/sign-in.ts';
import { userRows } from './people/users.ts';
import { queryRows } from './queries/queries.ts';

export { type CallerKind, callerKinds } from './caller.ts';
export type { AccessRow, Expectation, Expectations } from './expectation.ts';

/**
 * Access rights of all callers, written by hand from the source documents. They are independent of the service's own
 * access entries.
 */
export const accessRows: readonly AccessRow[] = [
  ...setupRows,
  ...signInRows,
  ...healthRows,
  ...projectRows,
  ...repositoryRows,
  ...documentationRows,
  ...dataSourceRows,
  ...queryRows,
  ...subscriptionRows,
  ...recipientRows,
  ...notificationRows,
  ...taskRows,
  ...dataQualityRows,
  ...definitionRows,
  ...administrationRows,
  ...migrationRows,
  ...approvalRows,
  ...hubRows,
  ...mcpRows,
  ...askRows,
  ...aiActorRows,
  ...overviewRows,
  ...settingRows,
  ...userRows,
  ...apiKeyRows,
];
