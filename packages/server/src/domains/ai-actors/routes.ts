import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { PlanDecisions } from './plans/decisions.ts';
import type { PlansService } from './plans/service.ts';
import type { AiActorsService } from './service.ts';

export const aiActorRoutes = (service: AiActorsService): Route[] => [
  route(contract.listAiActors, ({ caller, query }) => service.list(caller, query)),
  route(contract.createAiActor, async (context) => {
    const actor = await service.create(context, context.body);
    context.reply.header('location', `${contract.aiActorsPath}/${actor.id}`);
    setVersionTag(context.reply, actor.version);
    return actor;
  }),
  route(contract.getAiActor, async ({ caller, params, reply }) => {
    const actor = await service.get(caller, params.id);
    setVersionTag(reply, actor.version);
    return actor;
  }),
  route(contract.replaceAiActor, async (context) => {
    const { params, body, request, reply } = context;
    const actor = await service.replace(context, { id: params.id, version: expectedVersion(request) }, body);
    setVersionTag(reply, actor.version);
    return actor;
  }),
  route(contract.archiveAiActor, async (context) => {
    await service.archive(context, context.params.id);
    return undefined;
  }),
  route(contract.thinkAiActor, (context) => service.think(context, context.params.id)),
  route(contract.refineAiActor, (context) =>
    service.refine(context, context.params.id, context.body.feedback.trim()),
  ),
  route(contract.pauseAiActor, (context) => service.pause(context, context.params.id)),
  route(contract.resumeAiActor, (context) => service.resume(context, context.params.id)),
  route(contract.setAiActorOwner, async (context) => {
    await service.changeOwner(context, context.params.id, context.body.userId);
    return undefined;
  }),
  route(contract.listAiThinks, ({ caller, params, query }) => service.thinks(caller, params.id, query)),
];

export const aiPlanRoutes = (
  service: AiActorsService,
  plans: PlansService,
  decisions: PlanDecisions,
): Route[] => [
  route(contract.listAiActorPlans, async ({ caller, params, query }) => {
    const { actor } = await service.reach(caller, params.id);
    return plans.listOfActor(actor.id, query);
  }),
  route(contract.listAiPlans, ({ caller, query }) => plans.list(caller, query)),
  route(contract.getAiPlan, ({ caller, params }) => plans.get(caller, params.id)),
  route(contract.approveAiPlan, async (context) => {
    const { planHash, actionIds, comment } = context.body;
    await decisions.approve(context, context.params.id, {
      planHash,
      actionIds,
      comment: comment?.trim() || null,
    });
    return plans.get(context.caller, context.params.id);
  }),
  route(contract.rejectAiPlan, async (context) => {
    await decisions.reject(context, context.params.id, context.body.comment.trim());
    return undefined;
  }),
  route(contract.reviseAiPlan, (context) =>
    decisions.requestRevision(context, context.params.id, context.body.feedback.trim()),
  ),
  route(contract.withdrawAiPlan, async (context) => {
    await decisions.withdraw(context, context.params.id);
    return undefined;
  }),
];
