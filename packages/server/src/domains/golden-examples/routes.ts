import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { CandidatesService } from './candidates.ts';
import type { GoldenService } from './service.ts';

export const goldenRoutes = (golden: GoldenService, candidates: CandidatesService): Route[] => [
  route(contract.listGoldenExamples, ({ query }) => golden.list(query)),
  route(contract.createGoldenExample, async (context) => {
    const example = await golden.create(context, context.body, context.signal);
    setVersionTag(context.reply, example.version);
    return example;
  }),
  route(contract.recheckGoldenExamples, ({ caller, body, signal }) =>
    golden.recheck(caller, body.projectId ?? null, signal),
  ),
  route(contract.getGoldenExample, async ({ params, reply }) => {
    const example = await golden.get(params.id);
    setVersionTag(reply, example.version);
    return example;
  }),
  route(contract.replaceGoldenExample, async (context) => {
    const { params, body, request, reply, signal } = context;
    const replaced = await golden.replace(context, params.id, body, {
      expectedVersion: expectedVersion(request),
      signal,
    });
    setVersionTag(reply, replaced.version);
    return replaced;
  }),
  route(contract.deleteGoldenExample, async (context) => {
    await golden.delete(context, context.params.id, expectedVersion(context.request));
    return undefined;
  }),
  route(contract.listFeedback, ({ query }) => candidates.feedback(query)),
  route(contract.listCandidates, ({ query }) => candidates.list(query)),
  route(contract.promoteCandidate, async (context) => {
    const { params, body, signal, reply } = context;
    const example = await candidates.promote(context, params.id, body, signal);
    setVersionTag(reply, example.version);
    return example;
  }),
  route(contract.dismissCandidate, async (context) => {
    await candidates.dismiss(context, context.params.id);
    return undefined;
  }),
];
