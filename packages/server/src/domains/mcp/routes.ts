import { callMcp, getMcpContext, listMcpTools, runMcpTool } from '@svc/contract';
import { type Route, type RouteContext, type RouteGate, route } from '../../platform/http/index.ts';
import type { CallCancellation, McpFacts, Serving } from '../../platform/mcp/index.ts';
import { callerKeyOf } from './calls/caller-key.ts';
import type { Playground } from './playground.ts';

export type McpRoutesDeps = {
  readonly gate: RouteGate;
  readonly serving: Serving;
  readonly cancellation: CallCancellation;
  readonly playground: Playground;
};

type Facts = Pick<
  RouteContext<unknown>,
  'caller' | 'clientAddress' | 'traceId' | 'signal' | 'request' | 'early'
>;

/** Returns a key that distinguishes client programs of one caller, as far as possible in a stateless protocol. */
const clientOf = ({ caller, clientAddress, request }: Facts): string =>
  [callerKeyOf(caller), clientAddress, request.headers['user-agent'] ?? ''].join('\n');

const factsOf = (context: Facts): McpFacts => ({
  caller: context.caller,
  clientAddress: context.clientAddress,
  traceId: context.traceId,
  signal: context.signal,
  client: clientOf(context),
  method: memberOf(context.request.body, 'method'),
  early: context.early,
});

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export const mcpRoutes = ({ gate, serving, cancellation, playground }: McpRoutesDeps): Route[] => [
  {
    ...route(
      callMcp,
      (context) => {
        const facts = factsOf(context);
        if (facts.method === 'notifications/cancelled')
          cancellation.cancel(facts.client, memberOf(memberOf(context.request.body, 'params'), 'requestId'));
        return serving.answer(context.request, context.reply, facts);
      },
      gate,
    ),
    readEarly: ({ caller, request }) => serving.readEarly(caller, request),
  },
  route(listMcpTools, ({ caller, query }) => playground.list(caller, query.projectId, query)),
  route(runMcpTool, (context) => playground.run(context, context.body)),
  route(getMcpContext, ({ caller, params, signal }) => playground.context(caller, params.id, signal)),
];
