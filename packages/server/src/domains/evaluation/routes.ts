import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { EvaluationService } from './service.ts';

export const evaluationRoutes = (evaluation: EvaluationService): Route[] => [
  route(contract.listEvalRuns, ({ query }) => evaluation.list(query)),
  route(contract.startEvalRun, async (context) => {
    const run = await evaluation.start(context, context.body);
    context.reply.header('location', `/svc/api/eval/runs/${run.id}`);
    return run;
  }),
  route(contract.getEvalRun, ({ params }) => evaluation.get(params.id)),
  route(contract.cancelEvalRun, async ({ params }) => {
    await evaluation.cancel(params.id);
    return undefined;
  }),
  route(contract.listEvalResults, ({ params, query }) => evaluation.results(params.id, query)),
  route(contract.compareEvalRuns, ({ params, query }) => evaluation.compare(params.id, query.with)),
];
