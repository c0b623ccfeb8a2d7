import { getQuery } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One query with its steps and parameters. */
export const query = (id: number) => read(getQuery, { params: { id } });
