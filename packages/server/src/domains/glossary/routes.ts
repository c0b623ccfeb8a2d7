import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { GlossaryService } from './service.ts';

export const glossaryRoutes = (glossary: GlossaryService): Route[] => [
  route(contract.listGlossary, ({ query }) => glossary.list(query)),
  route(contract.createGlossaryTerm, async (context) => {
    const made = await glossary.create(context, context.body);
    setVersionTag(context.reply, made.version);
    return made;
  }),
  route(contract.getGlossaryTerm, async ({ params, reply }) => {
    const term = await glossary.get(params.id);
    setVersionTag(reply, term.version);
    return term;
  }),
  route(contract.replaceGlossaryTerm, async (context) => {
    const { params, body, request, reply } = context;
    const replaced = await glossary.replace(context, params.id, body, expectedVersion(request));
    setVersionTag(reply, replaced.version);
    return replaced;
  }),
  route(contract.deleteGlossaryTerm, async (context) => {
    await glossary.delete(context, context.params.id, expectedVersion(context.request));
    return undefined;
  }),
];
