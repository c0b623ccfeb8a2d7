import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { LlmCallsService } from './calls.ts';
import type { LlmUsageService } from './service.ts';

export const llmUsageRoutes = (usage: LlmUsageService, calls: LlmCallsService): Route[] => [
  readRoute(contract.getLlmStatus, async ({ caller }) => usage.status(caller)),
  readRoute(contract.getLlmUsage, async ({ query }) => usage.usage(query)),
  readRoute(contract.getOwnLlmUsage, async ({ caller, query }) => usage.own(caller, query.days)),
  readRoute(contract.listLlmCalls, async ({ query }) => calls.list(query)),
  route(contract.getLlmCallContent, async (context) => calls.content(context, context.params.id)),
];
