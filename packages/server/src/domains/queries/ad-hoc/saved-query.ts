import type { QueryPreview } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import { notFound } from '../../../platform/http/index.ts';
import type { ParameterValues } from '../definition.ts';
import { placeholderNames } from '../plan.ts';
import { readableQuery } from '../reach.ts';
import type { AdHocRunsDeps } from './ad-hoc-runs.ts';
import { type Execution, isViewed, requireApproved } from './execution.ts';
import type { PreviewExtent } from './preview.ts';

type Deps = Pick<AdHocRunsDeps, 'database' | 'rights' | 'recordRun'>;

/** Creates the function that previews a saved query. A preview for a user is stored in the history of the user. */
export const createPreview =
  ({ database, rights, recordRun }: Deps, execution: Execution) =>
  async (
    caller: Caller,
    id: number,
    values: ParameterValues,
    page: PreviewExtent,
    signal: AbortSignal,
  ): Promise<QueryPreview> => {
    const query = await readableQuery(rights, database, caller, id);
    requireApproved(query);
    const work = () => execution.preview(caller, query.row, values, page, signal);
    return isViewed(page) ? recordRun(caller, { ...query.row, queryId: id }, work) : work();
  };

/** Creates the function that previews a single step of a saved query. */
export const createPreviewStep =
  ({ database, rights }: Omit<Deps, 'recordRun'>, execution: Execution) =>
  async (
    caller: Caller,
    id: number,
    stepOrder: number,
    values: ParameterValues,
    page: PreviewExtent,
    signal: AbortSignal,
  ): Promise<QueryPreview> => {
    const query = await readableQuery(rights, database, caller, id);
    requireApproved(query);
    const { row } = query;
    const step = row.steps.find((candidate) => candidate.order === stepOrder);
    if (!step) throw notFound();
    // Only parameters of this step apply. Values of other parameters are ignored.
    const names = placeholderNames(step.sql);
    const parameters = row.parameters.filter((parameter) => names.has(parameter.name));
    const stepValues = Object.fromEntries(
      Object.entries(values).filter(([name]) => parameters.some((parameter) => parameter.name === name)),
    );
    const alone = { ...row, steps: [step], finalQuery: null, parameters };
    return execution.preview(caller, alone, stepValues, page, signal);
  };
