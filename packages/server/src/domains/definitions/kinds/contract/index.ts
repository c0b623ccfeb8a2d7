import * as contract from '@svc/contract';
import { defineKind, noSecrets } from '../kind.ts';
import { fileSchema } from '../shapes.ts';
import { type ContractDefinition, canonical, properties, references } from './definition.ts';
import { list } from './read.ts';
import { assertMayWrite, type ContractKindDeps, create, update } from './write.ts';

/** Creates the kind of data contracts with their rules. A rule retains its results while its name does not change. */
export function contractKind(deps: ContractKindDeps) {
  const { contracts, explainSchedule } = deps;
  return defineKind<ContractDefinition>({
    name: 'Contract',
    schema: fileSchema('Contract', properties),
    isForKeys: true,
    ...noSecrets,
    canonical: (definition) => canonical(explainSchedule, definition),
    references,
    list: (caller, projects, slugOf) => list(deps, caller, projects, slugOf),
    endpoints: ({ before, after }) => [
      after === null
        ? contract.archiveDataContract
        : before === null
          ? contract.createDataContract
          : contract.replaceDataContract,
    ],
    mayWrite: assertMayWrite,
    needsApproval: () => false,
    create: (by, input) => create(deps, by, input),
    update: (by, target, input) => update(deps, by, target, input),
    remove: (by, { id }) => contracts.archive(by, id),
  });
}
