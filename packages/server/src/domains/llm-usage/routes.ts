import * as contract from '@svc/contract';
import { type Route, readRoute } from '../../platform/http/index.ts';
import type { LlmUsageService } from './service.ts';

export const llmUsageRoutes = (usage: LlmUsageService): Route[] => [
  readRoute(contract.getLlmStatus, async ({ caller }) => usage.status(caller)),
  readRoute(contract.getLlmUsage, async ({ query }) => usage.usage(query)),
  readRoute(contract.getOwnLlmUsage, async ({ caller, query }) => usage.own(caller, query.days)),
];
