import { Readable } from 'node:stream';
import * as contract from '@svc/contract';
import { answered, expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { GlossaryService } from './service.ts';

export const glossaryRoutes = (glossary: GlossaryService): Route[] => [
  route(contract.listGlossary, ({ query }) => glossary.list(query)),
  route(contract.createGlossaryTerm, async (context) => {
    const term = await glossary.create(context, context.body, context.signal);
    setVersionTag(context.reply, term.version);
    return term;
  }),
  route(contract.exportGlossary, async ({ caller, query, reply }) => {
    const text = await glossary.export(caller, query.projectId);
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="glossary-${query.projectId}.csv"`)
      .send(Readable.from(text, { objectMode: false }));
    return answered;
  }),
  route(contract.importGlossary, (context) => glossary.import(context, context.body, context.signal)),
  route(contract.recheckGlossary, ({ caller, body, signal }) =>
    glossary.recheck(caller, body.projectId ?? null, signal),
  ),
  route(contract.getGlossaryTerm, async ({ params, reply }) => {
    const term = await glossary.get(params.id);
    setVersionTag(reply, term.version);
    return term;
  }),
  route(contract.replaceGlossaryTerm, async (context) => {
    const { params, body, request, reply, signal } = context;
    const replaced = await glossary.replace(context, params.id, body, {
      expectedVersion: expectedVersion(request),
      signal,
    });
    setVersionTag(reply, replaced.version);
    return replaced;
  }),
  route(contract.deleteGlossaryTerm, async (context) => {
    await glossary.delete(context, context.params.id, expectedVersion(context.request));
    return undefined;
  }),
];
