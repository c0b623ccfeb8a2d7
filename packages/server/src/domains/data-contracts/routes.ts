import * as contract from '@svc/contract';
import {
  expectedVersion,
  type Route,
  readRoute,
  route,
  setVersionTag,
  snoozeEnd,
} from '../../platform/http/index.ts';
import type { DataContractsService } from './service.ts';

export const dataContractRoutes = (service: DataContractsService, now: () => Date): Route[] => [
  readRoute(contract.listDataContracts, async ({ caller, query }) => service.list(caller, query)),
  route(contract.createDataContract, async (context) => {
    const created = await service.create(context, context.body);
    context.reply.header('location', `${contract.contractsPath}/${created.id}`);
    setVersionTag(context.reply, created.version);
    return created;
  }),
  route(contract.getDataContract, async ({ caller, params, reply }) => {
    const dataContract = await service.get(caller, params.id);
    setVersionTag(reply, dataContract.version);
    return dataContract;
  }),
  route(contract.replaceDataContract, async (context) => {
    const { params, body, request, reply } = context;
    const key = { id: params.id, version: expectedVersion(request) };
    const changed = await service.replace(context, key, body);
    setVersionTag(reply, changed.version);
    return changed;
  }),
  route(contract.archiveDataContract, async (context) => {
    await service.archive(context, context.params.id);
    return undefined;
  }),
  route(contract.setDataContractOwner, async (context) => {
    await service.changeOwner(context, context.params.id, context.body.userId);
    return undefined;
  }),
  route(contract.snoozeDataContract, async (context) => {
    const { params, body } = context;
    const until = body.until === null ? null : snoozeEnd(body.until, now());
    await service.snooze(context, params.id, until, body.reason?.trim() || null);
    return undefined;
  }),
  route(contract.acknowledgeContractAlert, async (context) => {
    const note = context.body.note?.trim() || null;
    await service.acknowledgeAlert(context, context.params.id, { note });
    return undefined;
  }),
  route(contract.withdrawContractAcknowledgement, async (context) => {
    await service.acknowledgeAlert(context, context.params.id, null);
    return undefined;
  }),
  route(contract.addDataContractRecipients, async (context) =>
    service.addRecipients(context, context.params.id, context.body.recipientIds),
  ),
  route(contract.removeDataContractRecipient, async (context) => {
    await service.removeRecipient(context, context.params.id, context.params.recipientId);
    return undefined;
  }),
];
