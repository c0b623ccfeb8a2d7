import type { Connectors, DatabaseIdentity, Dial } from '@svc/connectors';
import { createWriters } from '@svc/connectors/writers';
import type { DataSourceTarget } from '../run-sql/index.ts';
import { runCopy } from './copy.ts';
import { type CopyCall, type CopyDeps, inspectCopy, inspectSource, presentInspection } from './inspect.ts';
import { toDestinationRefusal } from './refusal.ts';
import type {
  CopyDefinition,
  CopyEnd,
  CopyHooks,
  CopyInspection,
  CopyRequest,
  CopySide,
  CopySource,
  SourceColumn,
} from './request.ts';
import { sourceText } from './source-statement.ts';

export type CopyDataOptions = {
  /** Connectors of the source engines. */
  readonly connectors: Connectors;
  /** Opens connections to data sources through the outbound gateway. */
  readonly dial: Dial;
  /** Databases that a copy must never write to: the metadata database of the service. */
  readonly ownDatabases: readonly DatabaseIdentity[];
};

/**
 * The only gateway that writes to a data source. Rows go to the destination only and are never returned to the caller.
 * Rejected rows are reported by number, key and column. Refusals are `CopyRefusal`s.
 */
export type CopyData = {
  readonly canWrite: (engine: string) => boolean;
  /** Returns the columns, the mapping and the issues of a copy. Writes nothing. */
  readonly inspect: (definition: CopyDefinition, call: CopyCall) => Promise<CopyInspection>;
  /** Returns the statement that reads a source, in the dialect of the engine. */
  readonly sourceText: (source: CopySource, engine: string) => string;
  /** Returns the columns that a copy would read, before a destination is selected. */
  readonly inspectSource: (side: CopySide, call: CopyCall) => Promise<readonly SourceColumn[]>;
  /** Runs a copy. Rejects with an `UnsettledCopy` while it is unknown whether the copy has committed: retry later. */
  readonly run: (request: CopyRequest, hooks: CopyHooks) => Promise<CopyEnd>;
  /** Drops the staging tables that finished copies left at a destination. */
  readonly dropStaging: (
    target: DataSourceTarget,
    staging: { readonly schema: string; readonly stagingNames: readonly string[] },
    call: CopyCall,
  ) => Promise<void>;
};

/** Creates the gateway. It owns nothing that needs closing; close the connectors. */
export function createCopyData({ connectors, dial, ownDatabases }: CopyDataOptions): CopyData {
  const writers = createWriters({ ownDatabases, fileEngine: connectors.fileEngine });
  const deps: CopyDeps = { connectors, writers, dial };
  return {
    canWrite: (engine) => writers.get(engine) !== undefined,
    inspect: async (definition, call) =>
      presentInspection(deps, definition, await inspectCopy(deps, definition, call), call),
    sourceText: (source, engine) => sourceText(source, connectors.get(engine).dialect),
    inspectSource: (side, call) => inspectSource(deps, side, call),
    run: (request, hooks) => runCopy(deps, request, hooks),
    dropStaging: async ({ engine, connection, noteLogin }, staging, call) => {
      try {
        await writers.get(engine)?.dropStaging(connection, staging, { ...call, dial, noteLogin });
      } catch (error) {
        throw toDestinationRefusal(error, engine);
      }
    },
  };
}
