import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { RecipientSettingsService } from './service.ts';

export const recipientSettingsRoutes = (service: RecipientSettingsService): Route[] => [
  route(contract.getRecipientSettings, async ({ params }) => service.get(params.id)),
  route(contract.setRetryPolicy, async (context) =>
    service.setRetryPolicy(context, context.params.id, context.body),
  ),
  route(contract.setNumberFormat, async (context) =>
    service.setNumberFormat(context, context.params.id, context.body.numbers),
  ),
  route(contract.createSigningSecret, async (context) => service.createSecret(context, context.params.id)),
  route(contract.removePreviousSigningSecret, async (context) => {
    await service.removePrevious(context, context.params.id);
    return undefined;
  }),
  route(contract.removeSigningSecrets, async (context) => {
    await service.removeSecrets(context, context.params.id);
    return undefined;
  }),
];
