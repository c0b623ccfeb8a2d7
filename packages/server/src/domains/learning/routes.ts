import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { PatchesService } from './patches.ts';
import type { LearningService } from './service.ts';

export const learningRoutes = (learning: LearningService, patches: PatchesService): Route[] => [
  route(contract.listLearnedPatterns, ({ caller, query }) => learning.list(caller, query)),
  route(contract.getLearnedPattern, ({ caller, params }) => learning.get(caller, params.id)),
  route(contract.replayLearnedPattern, ({ caller, params, signal }) =>
    learning.replay(caller, params.id, signal),
  ),
  route(contract.decideLearnedPattern, (context) =>
    learning.decide(context, context.params.id, context.body.newStatus, context.signal),
  ),
  route(contract.listDocumentationPatches, ({ caller, query }) => patches.list(caller, query)),
  route(contract.applyDocumentationPatch, (context) =>
    patches.apply(context, context.params.id, context.body.sectionVersion),
  ),
  route(contract.rejectDocumentationPatch, (context) => patches.reject(context, context.params.id)),
  route(contract.learnNow, (context) => learning.learnNow(context, context.body.projectId)),
  route(contract.getLearningStats, ({ caller, query }) => learning.stats(caller, query.projectId)),
];
