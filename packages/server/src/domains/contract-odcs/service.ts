import type { BodyOf, DataContract, importDataContracts, OdcsImport } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { brokenRule, notFound } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { ruleOf } from '../contract-rules/index.ts';
import { assertMayUseSql, type DataContractsService, findEngine } from '../data-contracts/index.ts';
import { findMetadata } from '../data-sources/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findKept, saveKept } from './kept-store.ts';
import { type Draft, readDocument } from './reading/document.ts';
import type { Report } from './reading/report.ts';
import { documentOf } from './writing/document.ts';
import { readYaml, writeYaml } from './yaml.ts';

export type OdcsService = ReturnType<typeof createOdcsService>;

/** Imports and exports data contracts as documents of the Open Data Contract Standard. */
export function createOdcsService(deps: {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly contracts: Pick<DataContractsService, 'get' | 'createIn'>;
}) {
  const { database, rights, contracts } = deps;

  const draftsFor = async (
    by: CallerActor,
    { projectId, dataSourceId, document }: BodyOf<typeof importDataContracts>,
  ): Promise<{ drafts: Draft[]; report: Report }> => {
    await rights.require(database, by.caller, projectId, 'Write');
    const engine = await findEngine(database, projectId, dataSourceId);
    if (engine === undefined) throw notFound();
    const { tables } = (await findMetadata(database, dataSourceId))?.snapshot ?? { tables: [] };
    const read = readDocument(readYaml(document), { projectId, dataSourceId, engine, tables });
    for (const { input } of read.drafts)
      assertMayUseSql(by.caller, { settings: input, rules: input.rules.map(ruleOf) });
    return read;
  };

  const save = (by: CallerActor, drafts: readonly Draft[]): Promise<DataContract[]> =>
    database.transaction(async (tx) => {
      const made: DataContract[] = [];
      for (const { input, kept, rests, isTableMissing } of drafts) {
        const contract = await contracts.createIn(tx, by, input, { mayLackTable: isTableMissing });
        const rules = contract.rules.flatMap(({ id }, at): [number, Draft['rests'][number]][] => {
          const rest = rests[at];
          return rest && Object.keys(rest).length > 0 ? [[id, rest]] : [];
        });
        await saveKept(tx, contract.id, { ...kept, rules: Object.fromEntries(rules) });
        made.push(contract);
      }
      return made;
    });

  return {
    /** Returns a contract as a document of version 3.1.0, in YAML. */
    export: async (caller: Caller, id: number): Promise<{ name: string; text: string }> => {
      const contract = await contracts.get(caller, id);
      const document = documentOf(contract, await findKept(database, id));
      return { name: contract.name, text: writeYaml(document) };
    },

    /** Creates a contract for each table of a document. A dry run only returns the report. */
    import: async (by: CallerActor, body: BodyOf<typeof importDataContracts>): Promise<OdcsImport> => {
      const { drafts, report } = await draftsFor(by, body);
      const isTrial = body.dryRun === true;
      if (!isTrial && drafts.length === 0)
        throw brokenRule(
          'invalid-contract',
          'Nothing of the document can be judged.',
          report.refused.map(({ path, note }) => ({ path: `/document${path}`, message: note })),
        );
      const made = isTrial ? [] : await save(by, drafts);
      return {
        contracts: drafts.map(({ input, isTableMissing }, at) => ({
          id: made[at]?.id ?? null,
          name: input.name,
          schemaName: input.schemaName,
          tableName: input.tableName,
          ruleCount: input.rules.length,
          tableExists: !isTableMissing,
        })),
        ...report,
      };
    },
  };
}
