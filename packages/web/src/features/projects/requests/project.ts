import { getProject } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One project. */
export const project = (id: number) => read(getProject, { params: { id } });
