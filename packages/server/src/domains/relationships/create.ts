import type { Cardinality, Relationship } from '@svc/contract';
import { brokenRule, conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { requireInProject } from '../data-sources/index.ts';
import { mayCurate } from './curation.ts';
import type { RelationshipsDeps } from './deps.ts';
import { presentRelationship } from './present.ts';
import { readSnapshot, requireRelationship } from './read.ts';
import { faultsOf } from './schema/faults.ts';
import { cardinalityOf, labelOf } from './schema/schema.ts';
import { insertRelationships } from './store.ts';
import type { Ends } from './types.ts';

export type NewRelationshipInput = Ends & {
  readonly label?: string | undefined;
  readonly cardinality?: Cardinality | undefined;
};

/** Creates a relationship between columns of the stored schema. */
export const createCreateRelationship =
  ({ database }: Pick<RelationshipsDeps, 'database'>) =>
  (by: CallerActor, dataSourceId: number, input: NewRelationshipInput): Promise<Relationship> =>
    database.transaction(async (tx) => {
      const dataSource = await requireInProject(tx, by.caller, dataSourceId, 'Write');
      const { schema } = await readSnapshot(tx, dataSourceId);
      const errors = faultsOf(schema, input);
      if (errors.length > 0) throw brokenRule('invalid-relationship', errors[0]?.message ?? '', errors);
      const { source, target } = input;
      const table = schema.find(source.schema, source.table);
      const [id] = await insertRelationships(tx, dataSourceId, [
        {
          source,
          target,
          origin: 'Manual',
          confidence: 1,
          isVerified: mayCurate(dataSource),
          label: input.label?.trim() ?? labelOf(source),
          cardinality: input.cardinality ?? (table ? cardinalityOf(table, source.columns) : 'Unknown'),
          createdByUserId: by.caller.userId,
        },
      ]);
      if (id === undefined)
        throw conflict(
          'relationship-exists',
          'There is a relationship between these columns already, or there was one that somebody deleted.',
        );
      return presentRelationship(await requireRelationship(tx, dataSourceId, id));
    });
