import { getMcpContext } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Context of a project for AI clients. */
export const mcpContext = (id: number) => read(getMcpContext, { params: { id } });
