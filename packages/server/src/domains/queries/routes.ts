import * as contract from '@svc/contract';
import {
  answered,
  expectedVersion,
  type Route,
  readRoute,
  route,
  setVersionTag,
} from '../../platform/http/index.ts';
import { withNumbers } from './ad-hoc/number-format.ts';
import { previewExtentOf } from './ad-hoc/preview-extent.ts';
import { writeResultFile } from './ad-hoc/result-file.ts';
import type { QueriesService } from './service.ts';

export const queryRoutes = (service: QueriesService): Route[] => [
  ...recordRoutes(service),
  ...runRoutes(service),
];

/** Routes of the saved queries and their versions. */
const recordRoutes = (service: QueriesService): Route[] => [
  readRoute(contract.listQueries, async ({ caller, query }) => service.list(caller, query)),
  route(contract.createQuery, async (context) => {
    const created = await service.create(context, context.body);
    context.reply.header('location', `/svc/api/queries/${created.id}`);
    if (created.versionNumber === null) context.reply.code(202);
    setVersionTag(context.reply, created.version);
    return created;
  }),
  route(contract.getQuery, async ({ caller, params, reply }) => {
    const query = await service.get(caller, params.id);
    setVersionTag(reply, query.version);
    return query;
  }),
  route(contract.updateQuery, async (context) => {
    const { params, body, request } = context;
    const { query, isWaiting } = await service.update(context, params.id, body, expectedVersion(request));
    setVersionTag(context.reply, query.version);
    if (isWaiting) context.reply.code(202);
    return query;
  }),
  route(contract.lockQuery, async (context) =>
    service.setLocked(context, context.params.id, context.body.isLocked),
  ),
  route(contract.withdrawQueryVersion, async (context) =>
    service.withdraw(context, context.params.id, context.params.versionId),
  ),
];

/** Routes of previews, checks and exports: the caller waits for their results. */
const runRoutes = (service: QueriesService): Route[] => [
  route(contract.previewQuery, async ({ caller, params, query, body, signal }) =>
    service.live.run(caller, query.runKey, signal, async (stoppable) =>
      withNumbers(
        await service.preview(caller, params.id, body.parameters ?? {}, previewExtentOf(query), stoppable),
        query.numbers,
      ),
    ),
  ),
  route(contract.previewQueryStep, async ({ caller, params, query, body, signal }) =>
    service.live.run(caller, query.runKey, signal, async (stoppable) =>
      withNumbers(
        await service.previewStep(
          caller,
          params.id,
          params.stepOrder,
          body.parameters ?? {},
          previewExtentOf(query),
          stoppable,
        ),
        query.numbers,
      ),
    ),
  ),
  route(contract.previewDraft, async ({ caller, query, body, signal }) =>
    service.live.run(caller, query.runKey, signal, async (stoppable) =>
      withNumbers(
        await service.previewDraft(caller, body, body.values ?? {}, previewExtentOf(query), stoppable),
        query.numbers,
      ),
    ),
  ),
  route(contract.preflightDraft, async ({ caller, body, signal }) =>
    service.preflightDraft(caller, body, body.values ?? {}, signal),
  ),
  route(contract.explainDraft, async ({ caller, body, signal }) =>
    service.explainDraft(caller, body, body.values ?? {}, signal),
  ),
  route(contract.stopRun, async ({ caller, params }) => ({
    outcome: await service.live.stop(caller, params.runKey),
  })),
  route(contract.exportQuery, async (context) => {
    const run = await service.startExport(
      context,
      context.params.id,
      context.body.format,
      context.body.parameters ?? {},
      context.signal,
    );
    writeResultFile(context.reply, run, context.body);
    return answered;
  }),
];
