import type { DataSourceTarget } from '../../../gateways/run-sql/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/http/index.ts';
import { type OpenDataSources, targetOf } from '../../data-sources/index.ts';

/** Time limit of each statement of a preview. */
export const previewTimeoutMs = 30_000;

/** @throws Refusal 404 when the data source does not exist. */
export async function openSource(
  deps: { readonly database: Database; readonly openDataSources: OpenDataSources },
  id: number,
): Promise<DataSourceTarget> {
  const [source] = await deps.openDataSources(deps.database, [id]);
  if (!source) throw notFound();
  return targetOf(source);
}
