import * as contract from '@svc/contract';
import {
  answered,
  expectedVersion,
  type Route,
  readRoute,
  route,
  setVersionTag,
} from '../../platform/http/index.ts';
import { fileNameOf } from '../../platform/tabular/index.ts';
import type { DocumentationService } from './service.ts';

const files = {
  Markdown: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  Html: { type: 'text/html; charset=utf-8', extension: 'html' },
} as const;

export const documentationRoutes = (documentation: DocumentationService): Route[] => [
  readRoute(contract.getDocumentation, ({ caller, params }) => documentation.get(caller, params.id)),
  route(contract.generateDocumentation, ({ caller, params, query }) =>
    documentation.generate(caller, params.id, query.model),
  ),
  route(contract.cancelDocumentation, async ({ caller, params }) => {
    await documentation.cancel(caller, params.id);
    return undefined;
  }),
  route(contract.instructDocumentation, ({ caller, params, body, signal }) =>
    documentation.instruct(caller, params.id, params.kind, body, signal),
  ),
  route(contract.writeDocumentation, async ({ caller, params, body, request, reply }) => {
    const { id, kind } = params;
    const written = await documentation.write(caller, id, kind, body.content, expectedVersion(request));
    setVersionTag(reply, written.version);
    return written;
  }),
  route(contract.dismissDocumentationProposal, async ({ caller, params, request }) => {
    await documentation.dismiss(caller, params.id, params.kind, expectedVersion(request));
    return undefined;
  }),
  readRoute(contract.listDocumentationVersions, ({ caller, params, query }) =>
    documentation.versions(caller, params.id, query),
  ),
  readRoute(contract.getDocumentationVersion, ({ caller, params }) =>
    documentation.version(caller, params.id, params.number),
  ),
  route(contract.exportDocumentation, async ({ caller, params, query, reply }) => {
    const { type, extension } = files[query.format ?? 'Markdown'];
    const { name, text } = await documentation.export(caller, params.id, query.format ?? 'Markdown');
    const fileName = fileNameOf(name, extension);
    reply
      .header('content-type', type)
      .header(
        'content-disposition',
        `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      )
      .send(text);
    return answered;
  }),
];
