import { type Static, Type } from 'typebox';
import { targetOf } from '../../data-sources/index.ts';
import { type RunningDeps, rowsAnswer, runForCall } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { dataSource, maxRows, output, projectId, resultRows, sql } from './shapes.ts';
import { assertStatement, type StatementRules } from './statement.ts';
import type { Tool } from './tool.ts';

const Input = Type.Object({ sql, data_source: dataSource, max_rows: maxRows, project_id: projectId });

/** Tool that runs a user's SQL statement. */
export const queryTool = (
  deps: RunningDeps & StatementRules & { readonly catalogue: Catalogue },
): Tool<Static<typeof Input>> => ({
  name: 'query',
  title: 'Run a SELECT',
  description:
    'Runs one SELECT against a data source of the project and returns its rows. It reads only: the engine itself refuses everything else. Rows, bytes and time are capped, and personal data is masked. Check the statement with dry_run first when you are not sure of names.',
  input: Input,
  needsSources: true,
  output: Type.Object({ dataSourceId: Type.Integer(), ...resultRows, notice: output.notice }),
  run: async (args, call) => {
    call.touch({ statement: args.sql });
    const source = await deps.catalogue.pickSource(call.project, args.data_source);
    call.touch({ dataSourceId: source.id });
    assertStatement(deps, args.sql, source.engine);
    const step = { order: 1, dataSource: targetOf(source.open()), sql: args.sql };
    const read = await runForCall(deps, { steps: [step] }, call, args.max_rows);
    return rowsAnswer(read, {
      sentence: `Result of the statement on data source ${source.id}.`,
      structured: { dataSourceId: source.id },
    });
  },
});
