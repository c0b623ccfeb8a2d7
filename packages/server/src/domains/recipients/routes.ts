import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import type { RecipientsService } from './service.ts';

/** Inbox of the host: the address for deliveries, and the page where a user reads them. */
export type InboxOptions = { readonly deliveryUrl: string; readonly pageUrl: string };

export const recipientRoutes = (service: RecipientsService, inbox: InboxOptions | undefined): Route[] => [
  readRoute(contract.listRecipients, async ({ caller, query }) => service.list(caller, query)),
  route(contract.getInbox, async () => ({
    inbox: inbox ? { destination: inbox.deliveryUrl, pageUrl: inbox.pageUrl } : null,
  })),
  route(contract.getRecipient, async ({ caller, params, reply }) => {
    const recipient = await service.get(caller, params.id);
    setVersionTag(reply, recipient.version);
    return recipient;
  }),
  route(contract.createRecipient, async (context) => {
    const created = await service.create(context, context.body);
    context.reply.header('location', `/svc/api/recipients/${created.id}`);
    return created;
  }),
  route(contract.updateRecipient, async (context) =>
    service.update(context, context.params.id, context.body, expectedVersion(context.request)),
  ),
  route(contract.listRecipientUses, async ({ caller, params, query }) =>
    service.uses(caller, params.id, query),
  ),
  route(contract.deleteRecipient, async (context) => {
    await service.archive(context, context.params.id);
    return undefined;
  }),
];
