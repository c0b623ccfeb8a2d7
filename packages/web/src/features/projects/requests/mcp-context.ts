import { getMcpContext } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What AI clients are told of a project. */
export const mcpContext = (id: number) => read(getMcpContext, { params: { id } });
