import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { QueryToolsService } from './service.ts';

export const queryToolRoutes = (tools: QueryToolsService): Route[] => [
  route(contract.getQueryMcpTool, async ({ caller, params, reply }) => {
    const tool = await tools.get(caller, params.id);
    setVersionTag(reply, tool.version);
    return tool;
  }),
  route(contract.setQueryMcpTool, async (context) => {
    const { params, body, request, reply } = context;
    const tool = await tools.set(context, params.id, body, expectedVersion(request));
    setVersionTag(reply, tool.version);
    return tool;
  }),
  route(contract.listQueryMcpTools, ({ query }) => tools.list(query)),
];
