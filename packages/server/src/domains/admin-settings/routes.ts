import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { createLlmTest } from './llm-test.ts';
import type { AdminSettingsService } from './service.ts';

export const adminSettingsRoutes = (
  service: AdminSettingsService,
  testLlm: ReturnType<typeof createLlmTest>,
): Route[] => [
  route(contract.getAdminSettings, async () => service.get()),
  route(contract.updateAdminSettings, async (context) => service.update(context, context.body)),
  route(contract.testLlm, async (context) => testLlm(context, context.body)),
];
