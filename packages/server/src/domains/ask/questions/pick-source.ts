import { brokenRule } from '../../../platform/http/index.ts';
import type { AskDeps } from '../deps.ts';

/** Returns the requested data source, or the only one of the project. */
export async function pickSource(
  { sourcesOf }: Pick<AskDeps, 'sourcesOf'>,
  projectId: number,
  requestedId: number | undefined,
): Promise<number> {
  const sources = await sourcesOf(projectId);
  if (requestedId !== undefined) {
    if (!sources.some(({ id }) => id === requestedId))
      throw refusal('it is not a data source of the project');
    return requestedId;
  }
  const [only, ...more] = sources;
  if (!only) throw refusal('the project has no data source');
  if (more.length > 0)
    throw refusal(`name one of the data sources ${sources.map(({ id }) => id).join(', ')}`);
  return only.id;
}

const refusal = (message: string) =>
  brokenRule('invalid-question', `The question cannot be asked: ${message}.`, [
    { path: '/dataSourceId', message },
  ]);
