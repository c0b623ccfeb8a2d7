import { Type } from 'typebox';
import { offerOf, type PublishedQuery, readArguments } from '../../query-tools/index.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import { type RunningDeps, rowsAnswer, runForCall } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { output, resultRows } from './shapes.ts';
import type { Tool } from './tool.ts';

const Output = Type.Object({
  queryId: Type.Integer(),
  versionNumber: Type.Integer({ description: 'The version that was published, which ran.' }),
  ...resultRows,
  notice: output.notice,
});

/** Returns the tool of a published query. It runs the pinned version, even after changes of the query. */
export function publishedQueryTool(
  deps: RunningDeps & { readonly catalogue: Catalogue },
  query: PublishedQuery,
): Tool<Readonly<Record<string, unknown>>> {
  const { id, version, versionNumber } = query;
  const { name, title, description, inputSchema } = offerOf(query);
  return {
    name,
    title,
    description,
    input: Type.Unsafe(inputSchema),
    output: Output,
    run: async (args, call) => {
      const { values, maxRows, projectId } = readArguments(args, query.parameters);
      call.touch({ queryId: id, version, versionNumber, statement: query.statements.join('\n') });
      if (projectId !== undefined && projectId !== query.projectId)
        throw new ToolRefusal('invalid-arguments', `The tool ${name} belongs to project ${query.projectId}.`);
      const plan = await deps.catalogue.planQuery(query);
      const request = { ...plan.request, parameters: { declared: plan.parameters, values } };
      const read = await runForCall(deps, request, call, maxRows);
      return rowsAnswer(read, {
        sentence: `Result of version ${versionNumber} of query ${id}, as it was published.`,
        structured: { queryId: id, versionNumber },
      });
    },
  };
}
