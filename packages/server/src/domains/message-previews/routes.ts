import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { PreviewService } from './service.ts';
import { previewTemplate } from './template.ts';

export const previewRoutes = (previews: PreviewService): Route[] => [
  route(contract.previewMessages, async ({ caller, params, body, signal }) =>
    previews.preview(caller, params.id, body, signal),
  ),
  route(contract.previewTemplate, async ({ body }) =>
    previewTemplate(body.notificationType, body.bodyTemplate),
  ),
];
