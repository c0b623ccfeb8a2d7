import { closeHub, connectHub, negotiateHub, sendToHub } from '@svc/contract';
import { answered, bytesRoute, type Route, refuseCrossSite, route } from '../../platform/http/index.ts';
import type { Hub } from '../../platform/hub/index.ts';

/** A negotiation has no body; old clients name a type for it all the same. */
const negotiationBytesMax = 1_024;
/** Some messages that were posted together. */
const postedBytesMax = 131_072;

/** Routes of the hub. Its clients cannot send the antiforgery header: where a request comes from decides. */
export const hubRoutes = (hub: Hub, trustedHosts: ReadonlySet<string>): Route[] => [
  bytesRoute(negotiateHub, negotiationBytesMax, async ({ caller, query, request }) => {
    refuseCrossSite(request, trustedHosts);
    return hub.negotiate(caller, query.negotiateVersion ?? 0);
  }),
  route(connectHub, async ({ caller, query, request, reply, signal }) => {
    refuseCrossSite(request, trustedHosts);
    await hub.connect({ caller, id: query.id, request, reply, signal });
    return answered;
  }),
  bytesRoute(sendToHub, postedBytesMax, async ({ caller, query, request }) => {
    refuseCrossSite(request, trustedHosts);
    hub.receive(caller, query.id, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    return undefined;
  }),
  bytesRoute(closeHub, negotiationBytesMax, async ({ caller, query, request }) => {
    refuseCrossSite(request, trustedHosts);
    hub.remove(caller, query.id);
    return undefined;
  }),
];
