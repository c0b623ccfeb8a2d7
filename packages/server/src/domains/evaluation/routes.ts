import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { EvalSchedulesService } from './schedules/service.ts';
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

export const evalScheduleRoutes = (schedules: EvalSchedulesService): Route[] => [
  route(contract.listEvalSchedules, ({ query }) => schedules.list(query)),
  route(contract.saveEvalSchedule, async (context) => {
    const saved = await schedules.save(context, context.body, expectedVersion(context.request));
    setVersionTag(context.reply, saved.version);
    return saved;
  }),
  route(contract.deleteEvalSchedule, async (context) => {
    await schedules.delete(context, context.query.projectId);
    return undefined;
  }),
];
