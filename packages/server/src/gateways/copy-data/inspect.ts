import type { CallOptions, Column, Connector, Connectors, Dial, Statement } from '@svc/connectors';
import type { Destination, Writer, Writers } from '@svc/connectors/writers';
import { issuesOf } from './issues.ts';
import { type Mapped, type Mapping, mapColumns } from './mapping.ts';
import { arrivingColumn, createPersonalGate, type PersonalGate } from './personal.ts';
import { CopyRefusal, toCopyRefusal, toDestinationRefusal } from './refusal.ts';
import type { CopyDefinition, CopyInspection, CopyIssue, CopySide, SourceColumn } from './request.ts';
import { sourceSide, sourceStatement, sourceText } from './source-statement.ts';

export type CopyDeps = {
  readonly connectors: Connectors;
  readonly writers: Writers;
  readonly dial: Dial;
};

export type CopyCall = Pick<CallOptions, 'signal' | 'timeoutMs'>;

/** A definition with the metadata that the engines report for its source and its destination. */
export type InspectedCopy = {
  readonly connector: Connector;
  readonly writer: Writer;
  readonly statement: Statement;
  /** With the column names of the source. */
  readonly sourceColumns: readonly Column[];
  readonly gate: PersonalGate;
  readonly destination: Destination;
  readonly mapping: Mapping;
  readonly keyColumns: readonly string[];
  readonly issues: readonly CopyIssue[];
};

/** Limits of a read. Only the size of one cell is limited: a copy is as large as its source. */
export const copyLimits = {
  maxRows: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxCellBytes: 8 * 1024 * 1024,
} as const;

/** Queries the metadata of the source and the destination. Writes to neither. */
export async function inspectCopy(
  deps: CopyDeps,
  definition: CopyDefinition,
  call: CopyCall,
): Promise<InspectedCopy> {
  const { dataSource, destinationDataSource } = definition;
  const connector = deps.connectors.get(dataSource.engine);
  const writer = deps.writers.get(destinationDataSource.engine);
  if (!writer) {
    throw new CopyRefusal('destination-failed', `${destinationDataSource.engine} can only be read.`);
  }
  const { sourceColumns, gate } = await inspectSide(deps, connector, definition, call);
  const { dialect } = connector;
  const destination = await describeDestination(deps, writer, definition, call);
  const arriving = sourceColumns.map((column, index) => arrivingColumn(definition, gate, column, index));
  const mapping = mapColumns(arriving, destination.table, definition.columns, {
    source: dataSource.engine,
    destination: destinationDataSource.engine,
  });
  const keyColumns = keysOf(definition, destination);
  const above = sourceColumns.find(({ name }) => name === definition.incremental?.column);
  return {
    connector,
    writer,
    sourceColumns,
    gate,
    destination,
    mapping,
    keyColumns,
    statement: sourceStatement(definition.source, definition.incremental, above, dialect),
    issues: issuesOf({ definition, sourceColumns, gate, destination, mapping, keyColumns }),
  };
}

/** Queries the metadata of the source only. */
export async function inspectSource(
  deps: CopyDeps,
  side: CopySide,
  call: CopyCall,
): Promise<readonly SourceColumn[]> {
  const connector = deps.connectors.get(side.dataSource.engine);
  return presentColumns(await inspectSide(deps, connector, side, call));
}

async function inspectSide(
  deps: CopyDeps,
  connector: Connector,
  side: CopySide,
  call: CopyCall,
): Promise<Pick<InspectedCopy, 'sourceColumns' | 'gate'>> {
  const sourceColumns = await columnsOfSource(deps, connector, side, call);
  const { dialect } = connector;
  const gate = createPersonalGate(side, {
    dialect,
    columns: sourceColumns,
    sql: sourceText(side.source, dialect),
  });
  return { sourceColumns, gate };
}

const presentColumns = ({
  sourceColumns,
  gate,
}: Pick<InspectedCopy, 'sourceColumns' | 'gate'>): readonly SourceColumn[] =>
  sourceColumns.map(({ name, databaseType }, index) => ({
    name,
    type: databaseType,
    isPersonal: gate.isPersonal(index),
  }));

/** Executes the text of the source alone, without a wrapper. This proves that the text is one complete statement. */
async function columnsOfSource(
  { dial }: CopyDeps,
  connector: Connector,
  { source, dataSource }: CopySide,
  call: CopyCall,
): Promise<readonly Column[]> {
  try {
    const sql = sourceText(source, connector.dialect);
    const { connection, noteLogin } = dataSource;
    const result = await connector.execute(
      connection,
      { sql },
      { ...copyLimits, ...call, dial, noteLogin, wantOrigins: true, rowsWanted: 0 },
    );
    await result.close();
    return result.columns;
  } catch (error) {
    throw toCopyRefusal(error, sourceSide({ source, dataSource }, connector.dialect));
  }
}

async function describeDestination(
  { dial }: CopyDeps,
  writer: Writer,
  { destination, destinationDataSource: { engine, connection, noteLogin } }: CopyDefinition,
  call: CopyCall,
): Promise<Destination> {
  try {
    return await writer.describe(connection, destination, { ...call, dial, noteLogin });
  } catch (error) {
    throw toDestinationRefusal(error, engine);
  }
}

/** Only `Upsert` and `Sync` compare rows by key. Other modes use keys only for a table that the copy creates. */
function keysOf(
  { mode, keyColumns, createsTable }: CopyDefinition,
  { table }: Destination,
): readonly string[] {
  if (mode === 'Upsert' || mode === 'Sync') {
    return keyColumns.length > 0 ? keyColumns : (table?.primaryKey ?? []);
  }
  return !table && createsTable ? keyColumns : [];
}

/** Returns the inspection in the form that users see. */
export async function presentInspection(
  deps: CopyDeps,
  definition: CopyDefinition,
  inspected: InspectedCopy,
  call: CopyCall,
): Promise<CopyInspection> {
  const { issues, mapping, keyColumns, gate, destination, writer } = inspected;
  const isMasked = (mapped: Mapped) => definition.personalData === 'Mask' && gate.isPersonal(mapped.index);
  return {
    issues,
    keyColumns,
    sourceColumns: presentColumns(inspected),
    destinationColumns: destination.table?.columns,
    mapping: mapping.columns.map((mapped) => ({
      from: mapped.source.name,
      to: mapped.to,
      fromType: mapped.source.databaseType,
      toType:
        mapped.destination?.databaseType ??
        destination.newColumnType ??
        writer.newColumnType(mapped.kind, keyColumns.includes(mapped.to)),
      isPersonal: gate.isPersonal(mapped.index),
      isMasked: isMasked(mapped),
    })),
    estimatedRows: await estimateRows(deps, definition, inspected, call),
    targetRows: destination.table?.estimatedRows ?? null,
  };
}

/** Returns the row estimate of the engine's query plan. Returns null if the engine gives no estimate or fails. */
export async function estimateRows(
  { dial }: CopyDeps,
  { dataSource: { connection, noteLogin } }: Pick<CopyDefinition, 'dataSource'>,
  { connector: { dryRun, execute }, statement }: InspectedCopy,
  call: CopyCall,
): Promise<number | null> {
  const plan = dryRun?.plan;
  if (!plan) return null;
  try {
    const planStatement = { ...statement, sql: `${plan.prefix}${statement.sql}` };
    const { batches } = await execute(connection, planStatement, { ...copyLimits, ...call, dial, noteLogin });
    const rows: unknown[][] = [];
    for await (const batch of batches) {
      for (let row = 0; row < batch.rowCount; row++) rows.push(batch.columns.map((column) => column[row]));
    }
    return plan.readPlan(rows as Parameters<typeof plan.readPlan>[0]).estimatedRows;
  } catch {
    return null;
  }
}
