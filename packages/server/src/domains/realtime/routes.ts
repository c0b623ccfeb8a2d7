import { closeHub, connectHub, negotiateHub, sendToHub } from '@svc/contract';
import { answered, bytesRoute, type Route, refuseCrossSite, route } from '../../platform/http/index.ts';
import type { Hub } from '../../platform/hub/index.ts';

/** Limit in bytes. A negotiation has no body, but old clients send a content type for it. */
const negotiationBytesMax = 1_024;
/** Limit in bytes. One request may contain several messages. */
const postedBytesMax = 131_072;

/**
 * Returns the routes of the hub. Its clients cannot send the antiforgery header, so the routes check the origin of a
 * request.
 */
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
