import { naming } from './00-naming.ts';
import { urlSpace } from './01-url-space.ts';
import { shapes } from './02-shapes.ts';
import { approvalOutcome } from './03-approval-outcome.ts';
import { administrationGroups } from './04-3-rest-groups/04-3-administration.ts';
import { aiGroups } from './04-3-rest-groups/04-3-ai-groups.ts';
import { approvals } from './04-3-rest-groups/04-3-approvals.ts';
import { definitions } from './04-3-rest-groups/04-3-definitions.ts';
import { documents } from './04-3-rest-groups/04-3-documents.ts';
import { dataSourceEngines } from './04-3-rest-groups/04-3-engines.ts';
import { recordGroups } from './04-3-rest-groups/04-3-records.ts';
import { restGroups } from './04-3-rest-groups/04-3-rest-groups.ts';
import { rowRouting } from './04-3-rest-groups/04-3-row-routing.ts';
import { signals } from './04-3-rest-groups/04-3-signals.ts';
import { subscriptionGroups } from './04-3-rest-groups/04-3-subscriptions.ts';
import { values } from './04-3-rest-groups/04-3-values.ts';
import { wording } from './04-3-rest-groups/04-3-wording.ts';
import { uiPages } from './04-endpoints/04-1-ui-pages.ts';
import { anonymousRoutes } from './04-endpoints/04-2-anonymous-routes.ts';
import { paging } from './04-endpoints/04-4-paging.ts';
import { hub } from './04-endpoints/04-5-hub.ts';
import { mcp } from './04-endpoints/04-6-mcp.ts';
import { hostMapped } from './04-endpoints/04-7-host-mapped.ts';
import { authentication } from './05-authentication.ts';
import { events } from './06-events.ts';
import { errors } from './07-errors.ts';
import { limits } from './08-limits.ts';
import { versioning } from './09-versioning.ts';

/** Every requirement of the document about routes, REST conventions, hub, MCP and versioning. */
export const routesRequirements = [
  ...naming,
  ...urlSpace,
  ...shapes,
  ...approvalOutcome,
  ...uiPages,
  ...anonymousRoutes,
  ...restGroups,
  ...recordGroups,
  ...subscriptionGroups,
  ...administrationGroups,
  ...aiGroups,
  ...documents,
  ...signals,
  ...approvals,
  ...wording,
  ...rowRouting,
  ...dataSourceEngines,
  ...definitions,
  ...values,
  ...paging,
  ...hub,
  ...mcp,
  ...hostMapped,
  ...authentication,
  ...events,
  ...errors,
  ...limits,
  ...versioning,
] as const;
