import { listDataSourceEngines } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The engines of this installation and the settings of their connections. */
export const engines = read(listDataSourceEngines, {});
