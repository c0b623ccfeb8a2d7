import { getQuery, getQueryMcpTool, listQueries, type QueryOf } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the queries of readable projects. */
export const queries = (query: QueryOf<typeof listQueries>) => read(listQueries, { query });

/** One query with its steps and parameters. */
export const query = (id: number) => read(getQuery, { params: { id } });

/** Tool for AI clients that a query provides. */
export const queryTool = (id: number) => read(getQueryMcpTool, { params: { id } });
