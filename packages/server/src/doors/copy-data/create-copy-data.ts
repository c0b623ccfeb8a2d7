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
  /** The engines that are read. */
  readonly connectors: Connectors;
  /** The outbound door's way to data sources. */
  readonly dial: Dial;
  /** Databases that may never be written to: the service's own. */
  readonly ownDatabases: readonly DatabaseIdentity[];
};

/**
 * The one way to write to a data source. It shows rows to nobody: what it reads goes to the destination, and rows that
 * cannot be written are told by number, key and column. Refusals are `CopyRefusal`s.
 */
export type CopyData = {
  readonly canWrite: (engine: string) => boolean;
  /** What a copy would meet; writes nothing. */
  readonly inspect: (definition: CopyDefinition, call: CopyCall) => Promise<CopyInspection>;
  /** The statement that reads a source, as the engine takes it. */
  readonly sourceText: (source: CopySource, engine: string) => string;
  /** The columns that a copy would read, where nobody has said yet where to. */
  readonly inspectSource: (side: CopySide, call: CopyCall) => Promise<readonly SourceColumn[]>;
  /** Rejects with an `UnsettledCopy` while it cannot be told whether it has committed: try again later. */
  readonly run: (request: CopyRequest, hooks: CopyHooks) => Promise<CopyEnd>;
  /** Drops what copies that have ended left at a destination. */
  readonly dropStaging: (
    target: DataSourceTarget,
    staging: { readonly schema: string; readonly stagingNames: readonly string[] },
    call: CopyCall,
  ) => Promise<void>;
};

/** Makes the door. It holds nothing that needs closing; close the connectors. */
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
