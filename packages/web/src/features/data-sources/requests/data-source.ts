import { getDataSource } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One data source. */
export const dataSource = (id: number) => read(getDataSource, { params: { id } });
