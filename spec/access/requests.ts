import { administrationRecipes } from './administration/administration-requests.ts';
import { definitionRecipes } from './administration/definition-requests.ts';
import { hubRecipes } from './administration/hub-requests.ts';
import { projectRecipes } from './administration/project-requests.ts';
import { aiActorRecipes } from './ai/ai-actor-requests.ts';
import { askRecipes } from './ai/ask-requests.ts';
import { evalRecipes } from './ai/eval-requests.ts';
import { learningRecipes } from './ai/learning-requests.ts';
import { mcpRecipes } from './ai/mcp-requests.ts';
import type { CallerKind } from './caller.ts';
import { anomalyRecipes } from './data-quality/anomaly-requests.ts';
import { dataQualityRecipes } from './data-quality/data-quality-requests.ts';
import { dataSourceRecipes } from './data-sources/data-source-requests.ts';
import { fileRecipes } from './data-sources/file-requests.ts';
import { migrationRecipes } from './data-sources/migration-requests.ts';
import { notificationRecipes } from './delivery/notification-requests.ts';
import { recentRecipes } from './delivery/recent-requests.ts';
import { recipientRecipes } from './delivery/recipient-requests.ts';
import { subscriptionRecipes } from './delivery/subscription-requests.ts';
import { taskRecipes } from './delivery/task-requests.ts';
import { documentRecipes } from './documents/document-requests.ts';
import { documentationRecipes } from './documents/documentation-requests.ts';
import { glossaryRecipes } from './documents/glossary-requests.ts';
import { repositoryRecipes } from './documents/repository-requests.ts';
import type { AccessRow } from './expectation.ts';
import type { Fixture } from './fixture.ts';
import { freshRecipient, freshSubscription } from './fresh-records.ts';
import { apiKeyRecipes } from './people/api-key-requests.ts';
import { signInRecipes } from './people/sign-in-requests.ts';
import { userRecipes } from './people/user-requests.ts';
import { queryApprovalRecipes } from './queries/query-approval-requests.ts';
import { queryRecipes } from './queries/query-requests.ts';
import type { Recipes, Request } from './recipe.ts';

/** Requests by operation. Other operations need only the fixture's project and its records. */
const recipes: Recipes = {
  ...signInRecipes,
  ...projectRecipes,
  ...dataSourceRecipes,
  ...queryRecipes,
  ...subscriptionRecipes,
  ...notificationRecipes,
  ...recipientRecipes,
  ...apiKeyRecipes,
  ...migrationRecipes,
  ...mcpRecipes,
  ...learningRecipes,
  ...documentRecipes,
  ...fileRecipes,
  ...repositoryRecipes,
  ...queryApprovalRecipes,
  ...documentationRecipes,
  ...glossaryRecipes,
  ...evalRecipes,
  ...aiActorRecipes,
  ...askRecipes,
  ...userRecipes,
  ...administrationRecipes,
  ...taskRecipes(freshSubscription),
  ...recentRecipes(),
  ...anomalyRecipes({ subscription: freshSubscription, recipient: freshRecipient }),
  ...definitionRecipes,
  ...dataQualityRecipes(freshRecipient),
  ...hubRecipes,
};

const fixtureIds: readonly (readonly [prefix: string, id: (fixture: Fixture) => number])[] = [
  ['/svc/api/projects/{id}', ({ project }) => project],
  ['/svc/api/data-sources/{id}', ({ dataSource }) => dataSource],
  ['/svc/api/queries/{id}', ({ query }) => query],
  ['/svc/api/notifications/{id}', ({ run }) => run],
];

/** Returns the request for one cell. Throws if the fixture has no id for the path. */
export async function requestFor(row: AccessRow, fixture: Fixture, kind: CallerKind): Promise<Request> {
  const [method = '', template = ''] = row.operation.split(' ');
  const name = row.variant ? `${row.operation} (${row.variant})` : row.operation;
  const { path, body, headers, as }: Partial<Omit<Request, 'method'>> =
    (await recipes[name]?.(fixture, kind)) ?? {};
  const id = fixtureIds.find(([prefix]) => template.startsWith(prefix))?.[1](fixture);
  const request = {
    method,
    as,
    ...(headers && { headers }),
    path: path ?? (id === undefined ? template : template.replace('{id}', String(id))),
  };
  if (request.path.includes('{')) throw new Error(`The matrix does not know how to ask for ${name}.`);
  return body === undefined ? request : { ...request, body };
}
