import { type Deadline, startDeadline } from '../../deadline.ts';
import { ConnectorError } from '../../error.ts';
import type { CallOptions } from '../../port.ts';
import type { Recovered, Writer } from '../../writers/port.ts';
import type { FilesEngineOptions } from '../index.ts';
import type { DuckdbConnection } from '../settings.ts';
import { describePlace } from './describe.ts';
import { newType } from './encode.ts';
import { createFilesEngine } from './engine.ts';
import { foldersOf, placeOf, stagingFiles } from './place.ts';
import { dropStaging, fileError, recoverIn } from './staging.ts';
import { startWrite } from './write.ts';

/** Creates the writer of the CSV and Parquet files of a data source. It replaces whole files, in allowed folders only. */
export function createDuckdbWriter(options: FilesEngineOptions): Writer<DuckdbConnection> {
  const { files: policy } = options;
  const within = async <T>(call: CallOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> => {
    const deadline = startDeadline(call);
    try {
      return await work(deadline);
    } catch (error) {
      throw deadline.reason() ?? fileError(error);
    } finally {
      deadline.dispose();
    }
  };
  return {
    engine: 'DuckDB',
    newColumnType: (kind) => newType(kind).toLowerCase(),
    describe: (connection, table, call) =>
      within(call, async (deadline) =>
        describePlace(createFilesEngine(options, deadline), await placeOf(connection, table, policy)),
      ),
    open: async (connection, plan, call) => {
      const place = await placeOf(connection, plan.destination, policy);
      if (!place?.format) {
        throw new ConnectorError(
          'statement-failed',
          'The data source lists no such file that can be written.',
          { origin: 'Service' },
        );
      }
      return startWrite(options, place, plan, startDeadline(call));
    },
    recover: (connection, { stagingName }, call) =>
      within(call, async () => {
        const outcomes: Recovered[] = [];
        for (const folder of await foldersOf(connection, policy)) {
          outcomes.push(await recoverIn(stagingFiles(folder, stagingName)));
        }
        return outcomes.find((recovered) => recovered !== 'NothingThere') ?? 'NothingThere';
      }),
    dropStaging: (connection, { stagingNames }, call) =>
      within(call, async () => {
        for (const folder of await foldersOf(connection, policy)) {
          for (const name of stagingNames) await dropStaging(stagingFiles(folder, name));
        }
      }),
  };
}
