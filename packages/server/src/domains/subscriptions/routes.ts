import * as contract from '@svc/contract';
import {
  expectedVersion,
  type Route,
  readRoute,
  route,
  setVersionTag,
  snoozeEnd,
} from '../../platform/http/index.ts';
import { changeMany } from './bulk.ts';
import type { SubscriptionsService } from './service.ts';

export const subscriptionRoutes = (service: SubscriptionsService, now: () => Date): Route[] => [
  ...recordRoutes(service),
  ...stateRoutes(service, now),
  ...recipientRoutes(service),
  ...runRoutes(service),
];

/** Routes of the records: their settings, schedule and owner. */
const recordRoutes = (service: SubscriptionsService): Route[] => [
  readRoute(contract.listSubscriptions, async ({ caller, query }) => service.list(caller, query)),
  route(contract.createSubscription, async (context) => {
    const created = await service.create(context, context.body);
    context.reply.header('location', `/svc/api/subscriptions/${created.id}`);
    return created;
  }),
  route(contract.getSubscription, async ({ caller, params, reply }) => {
    const subscription = await service.get(caller, params.id);
    setVersionTag(reply, subscription.version);
    return subscription;
  }),
  route(contract.updateSubscription, async (context) => {
    const { params, body, request, reply } = context;
    const key = { id: params.id, version: expectedVersion(request) };
    const subscription = await service.update(context, key, body);
    setVersionTag(reply, subscription.version);
    return subscription;
  }),
  route(contract.replaceSubscription, async (context) => {
    const { params, body, request, reply } = context;
    const key = { id: params.id, version: expectedVersion(request) };
    const subscription = await service.replace(context, key, body);
    reply.header('location', `/svc/api/subscriptions/${subscription.id}`);
    setVersionTag(reply, subscription.version);
    return subscription;
  }),
  route(contract.setSubscriptionOwner, async (context) => {
    await service.changeOwner(context, context.params.id, context.body.userId);
    return undefined;
  }),
  route(contract.setSubscriptionSla, async (context) => {
    await service.setSla(context, context.params.id, context.body.slaHours);
    return undefined;
  }),
  route(contract.previewSchedule, async ({ body }) => service.explain(body.cronExpression, body.timeZone)),
];

/** Routes that archive, pause and snooze. */
const stateRoutes = (service: SubscriptionsService, now: () => Date): Route[] => [
  route(contract.archiveSubscription, async (context) => {
    await service.archive(context, context.params.id);
    return undefined;
  }),
  route(contract.reactivateSubscription, async (context) => service.reactivate(context, context.params.id)),
  route(contract.pauseSubscription, async (context) => {
    await service.setPaused(context, context.params.id, true);
    return undefined;
  }),
  route(contract.resumeSubscription, async (context) => {
    await service.setPaused(context, context.params.id, false);
    return undefined;
  }),
  route(contract.snoozeSubscription, async (context) => {
    const { params, body } = context;
    const until = body.until === null ? null : snoozeEnd(body.until, now());
    await service.snooze(context, params.id, until, body.reason?.trim() || null);
    return undefined;
  }),
  route(contract.changeSubscriptions, (context) => changeMany(service, context, context.body, now())),
];

/** Routes of the recipients, and of the rows that each recipient gets. */
const recipientRoutes = (service: SubscriptionsService): Route[] => [
  route(contract.addSubscriptionRecipients, async (context) =>
    service.addRecipients(context, context.params.id, context.body.recipientIds),
  ),
  route(contract.removeSubscriptionRecipient, async (context) => {
    await service.removeRecipient(context, context.params.id, context.params.recipientId);
    return undefined;
  }),
  route(contract.listSubscriptionRoutes, async ({ caller, params }) => service.listRoutes(caller, params.id)),
];

/** Routes of test runs, missed runs, and the state that runs store. */
const runRoutes = (service: SubscriptionsService): Route[] => [
  route(contract.testRunSubscription, async (context) => {
    const run = await service.testRun(context, context.params.id);
    context.reply.header('location', `/svc/api/notifications/${run.id}`);
    return run;
  }),
  route(contract.listMissedRuns, async ({ caller, params, query }) =>
    service.listMissed(caller, params.id, query),
  ),
  route(contract.acknowledgeAlert, async (context) => {
    const note = context.body.note?.trim() || null;
    await service.acknowledgeAlert(context, context.params.id, { note });
    return undefined;
  }),
  route(contract.withdrawAcknowledgement, async (context) => {
    await service.acknowledgeAlert(context, context.params.id, null);
    return undefined;
  }),
  route(contract.resetAlert, async (context) => {
    await service.resetAlert(context, context.params.id);
    return undefined;
  }),
  route(contract.resetRowMemory, async (context) => {
    await service.resetRowMemory(context, context.params.id);
    return undefined;
  }),
];
