import { listDataSourceEngines } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Engines of this installation, with the settings of their connections. */
export const engines = read(listDataSourceEngines, {});
