import { listMcpTools } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Tools for AI clients in a project. */
export const mcpTools = (projectId: number) => read(listMcpTools, { query: { projectId, pageSize: '200' } });
