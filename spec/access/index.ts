import { administrationRows } from './administration.ts';
import { aiActorRows } from './ai-actors.ts';
import { apiKeyRows } from './api-keys.ts';
import { approvalRows } from './approvals.ts';
import { askRows } from './ask.ts';
import { dataQualityRows } from './data-quality.ts';
import { dataSourceRows } from './data-sources.ts';
import { definitionRows } from './definitions.ts';
import { documentationRows } from './documentation.ts';
import type { AccessRow } from './expectation.ts';
import { healthRows } from './health.ts';
import { hubRows } from './hub.ts';
import { mcpRows } from './mcp.ts';
import { migrationRows } from './migrations.ts';
import { notificationRows } from './notifications.ts';
import { overviewRows } from './overview.ts';
import { projectRows } from './projects.ts';
import { queryRows } from './queries.ts';
import { recipientRows } from './recipients.ts';
import { repositoryRows } from './repositories.ts';
import { settingRows } from './settings.ts';
import { setupRows } from './setup.ts';
import { signInRows } from './sign-in.ts';
import { subscriptionRows } from './subscriptions.ts';
import { taskRows } from './tasks.ts';
import { userRows } from './users.ts';

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
