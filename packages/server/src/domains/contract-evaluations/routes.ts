import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { EvaluationsService } from './service.ts';

export const evaluationRoutes = (service: EvaluationsService): Route[] => [
  readRoute(contract.getDataQualityOverview, async ({ caller }) => service.overview(caller)),
  route(contract.checkContractRules, async ({ caller, body, signal }) => service.check(caller, body, signal)),
  route(contract.evaluateDataContract, async (context) => {
    const { id } = context.params;
    const started = await service.evaluate(context, id);
    context.reply.header('location', `${contract.contractsPath}/${id}/evaluations/${started.evaluationId}`);
    return started;
  }),
  readRoute(contract.listContractEvaluations, async ({ caller, params, query }) =>
    service.list(caller, params.id, query),
  ),
  route(contract.getContractEvaluation, async ({ caller, params }) =>
    service.get(caller, params.id, params.evaluationId),
  ),
];
